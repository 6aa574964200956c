/** What the status line says of the channels under the pointer. */
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { TILE, address } from "@wavescope/core/geometry/pyramid";
import { ChannelPictures } from "@wavescope/core/tiles/channels/channelPictures";
import { channelsOf } from "@wavescope/core/tiles/channels/mix";
import { type Reading, readingOf } from "@wavescope/core/tiles/channels/reading";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Pointed } from "@wavescope/viewer/live/ownPointer";
import { t } from "@wavescope/core/i18n/i18n";

/** As in "CD8 1,234 ± 40", of the channels that are on; nothing where the service makes the pictures. */
export function samplesAt({ source, manifest, state, plane }: Microscope, at: NonNullable<Pointed>): string[] {
  if (!(source instanceof ChannelPictures)) return [];
  const { level } = state.getState();
  const [x, y] = [at.l0_x, at.l0_y].map((l0) => Math.floor(l0 / 2 ** level)) as [number, number];
  const tile = address(plane, level, Math.floor(x / TILE), Math.floor(y / TILE));
  const channels = channelsOf(manifest);
  const stored = { lossless: manifest.profile === "lossless", steps: manifest.details.chosen?.factor ?? null };
  return source.samplesAt(tile, x % TILE, y % TILE).map(({ c, value, whole }) => {
    const channel = channels[c]!;
    return t("page.sampleOf", {
      name: channel.name,
      sample: labelOf(readingOf({ value, level, whole }, stored, channel)),
    });
  });
}

function labelOf(reading: Reading): string {
  const value = groupedNumber(reading.value);
  if (reading.kind === "exact") return value;
  if (reading.kind === "about") return t("page.aboutSample", { value });
  return t("page.sampleWithin", { value, within: groupedNumber(reading.within) });
}
