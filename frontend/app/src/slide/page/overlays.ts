/** What lies over the picture, lowest first, apart from `firstOverlays`. */
import { AnnotationOverlay } from "../annotate/AnnotationOverlay";
import { CalibrationOverlay } from "../calibration/CalibrationOverlay";
import type { Overlay } from "../../microscope/parts";
import { SessionViewer } from "../../session/follow/SessionViewer";
import { LaterPollDots } from "../../session/panel/LaterPollDots";
import { PictureMenu } from "../menu/PictureMenu";
import { DescribedView } from "../../microscope/description/DescribedView";
import { GamepadControl } from "../../microscope/navigation/GamepadControl";
import { DropShapes } from "../overlays/DropShapes";
import { OverlayPointer } from "../overlays/OverlayPointer";
import { GoTo } from "../../microscope/navigation/GoTo";
import { TourPlayer } from "../../tours/TourPlayer";

export const overlays: readonly Overlay[] = [
  AnnotationOverlay,
  PictureMenu,
  OverlayPointer,
  DropShapes,
  SessionViewer,
  LaterPollDots,
  TourPlayer,
  GoTo,
  CalibrationOverlay,
  GamepadControl,
  DescribedView,
];
