/** What the custom element loads when it opens its first slide: the viewer, with OpenSeadragon. */
import { entriesOfText } from "@wavescope/core/tiles/channels/mixEntries";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { readLight, setLight } from "@wavescope/viewer/light/light";
export { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
export { openMicroscope } from "@wavescope/viewer/navigation/openMicroscope";
export { readViewLink, showViewLink } from "@wavescope/viewer/view/view";

/** Mixes the channels of a slide as `channels=` of the API says (WI137); null: as the slide does. */
export function showChannels(microscope: Microscope, text: string | null): void {
  const mix = entriesOfText(text ?? "");
  setLight(microscope, { ...readLight(microscope), mix: Object.keys(mix).length > 0 ? mix : null });
}
