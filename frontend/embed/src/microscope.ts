/** What the custom element loads when it opens its first slide: the viewer, with OpenSeadragon. */
export { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
export { openMicroscope } from "@wavescope/viewer/navigation/openMicroscope";
export { readViewLink, showViewLink } from "@wavescope/viewer/view/view";
