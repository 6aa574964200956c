/** What lies over the picture, lowest first. */
import { AnnotationOverlay } from "../annotate/AnnotationOverlay";
import { CalibrationOverlay } from "../calibration/CalibrationOverlay";
import { FocusSlider } from "../../microscope/FocusSlider";
import type { Overlay } from "../../microscope/parts";
import { ViewControls } from "../../microscope/ViewControls";
import { ScaleBar } from "../../microscope/ScaleBar";
import { SessionViewer } from "../../session/follow/SessionViewer";
import { GamepadControl } from "../../microscope/navigation/GamepadControl";
import { GoTo } from "../../microscope/navigation/GoTo";
import { Turret } from "../../microscope/navigation/Turret";
import { TourPlayer } from "../../tours/TourPlayer";

export const overlays: readonly Overlay[] = [
  ViewControls,
  FocusSlider,
  ScaleBar,
  AnnotationOverlay,
  SessionViewer,
  Turret,
  TourPlayer,
  GoTo,
  CalibrationOverlay,
  GamepadControl,
];

/** Over a slide that is not there yet: what only looks. */
export const previewOverlays: readonly Overlay[] = [ViewControls, FocusSlider, ScaleBar, Turret];
