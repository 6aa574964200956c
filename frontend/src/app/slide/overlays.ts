/** What lies over the picture, lowest first. */
import { AnnotationOverlay } from "./annotate/AnnotationOverlay";
import { CalibrationOverlay } from "./calibration/CalibrationOverlay";
import { FocusSlider } from "./FocusSlider";
import type { Overlay } from "./parts";
import { RightHand } from "./RightHand";
import { ScaleMark } from "./ScaleMark";
import { SessionStage } from "./session/SessionStage";
import { GamepadControl } from "./stage/GamepadControl";
import { GoTo } from "./stage/GoTo";
import { Turret } from "./stage/Turret";
import { TourPlayer } from "./tours/TourPlayer";

export const overlays: readonly Overlay[] = [RightHand, FocusSlider, ScaleMark, AnnotationOverlay, SessionStage, Turret, TourPlayer, GoTo, CalibrationOverlay, GamepadControl];

/** Over a slide that is not there yet: what only looks. */
export const previewOverlays: readonly Overlay[] = [RightHand, FocusSlider, ScaleMark, Turret];
