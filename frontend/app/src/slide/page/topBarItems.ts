/** Buttons of features in the top bar, between the slide's facts and the page's own buttons. */
import { ShareSlideButton } from "../../sharing/ShareButton";
import { CompareButton } from "../../compare/CompareButton";
import { CameraButton } from "../exporting/CameraButton";
import { SessionButton } from "../../session/entry/SessionButton";
import type { Overlay } from "../../microscope/parts";

export const topBarItems: readonly Overlay[] = [SessionButton, CompareButton, CameraButton, ShareSlideButton];
