/** What lies over the picture, lowest first. */
import { FocusSlider } from "./FocusSlider";
import type { Overlay } from "./parts";
import { RightHand } from "./RightHand";
import { ScaleMark } from "./ScaleMark";
import { GamepadControl } from "./stage/GamepadControl";
import { GoTo } from "./stage/GoTo";
import { Turret } from "./stage/Turret";
import { TourPlayer } from "./tours/TourPlayer";

export const overlays: readonly Overlay[] = [RightHand, FocusSlider, ScaleMark, Turret, TourPlayer, GoTo, GamepadControl];
