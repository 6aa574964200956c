/** What lies over the picture from its first moment on, lowest first; over a slide that is not there yet: all there is. */
import { FocusSlider } from "../../microscope/FocusSlider";
import type { Overlay } from "../../microscope/parts";
import { ScaleBar } from "../../microscope/ScaleBar";
import { ViewControls } from "../../microscope/ViewControls";
import { Turret } from "../../microscope/navigation/Turret";

export const firstOverlays: readonly Overlay[] = [ViewControls, FocusSlider, ScaleBar, Turret];
