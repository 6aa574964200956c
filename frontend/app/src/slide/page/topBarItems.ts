/** Buttons of features in the top bar, between the slide's facts and the page's own buttons. */
import { ShareSlideButton } from "../../sharing/ShareButton";
import { CompareButton } from "../../compare/CompareButton";
import { ExportButton } from "../exporting/ExportButton";
import { SessionButton } from "../../session/entry/SessionButton";
import { PictureButton } from "../picture/PictureButton";
import type { Overlay } from "../../microscope/parts";

export const topBarItems: readonly Overlay[] = [
  SessionButton,
  CompareButton,
  PictureButton,
  ExportButton,
  ShareSlideButton,
];
