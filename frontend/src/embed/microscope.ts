/** What the custom element loads when it opens its first slide: the viewer, with OpenSeadragon. */
export { fallbackReason } from "../viewer/core/device/capabilities";
export { openMicroscope } from "../viewer/navigation/openMicroscope";
export { readViewLink, showViewLink } from "../viewer/view/view";
