/** What lies over the picture, lowest first. */
import { FocusSlider } from "./FocusSlider";
import type { Overlay } from "./parts";
import { RightHand } from "./RightHand";
import { ScaleMark } from "./ScaleMark";
import { TourPlayer } from "./tours/TourPlayer";

export const overlays: readonly Overlay[] = [RightHand, FocusSlider, ScaleMark, TourPlayer];
