/** Groups of channels that are looked at together, made from the names of the channels of a slide. Pure. */
import type { Channel } from "../../wire/slides/manifest";
import type { Mix } from "./mix";

export interface MixGroup {
  readonly name: string;
  readonly mix: Mix;
}

/** So many colours differ in one picture. */
const TOGETHER = 4;
/** Where the colours of the slide are not different: of the markers beside a nuclear one, and of a fourth. */
const COLOURS = ["FF0000", "00FF00", "FFFF00", "00FFFF"];
const NUCLEAR = /\b(dapi|hoechst|dna|nuclei|draq5|sytox)/i;
const NUCLEAR_COLOUR = "0000FF";

/** None where all channels fit into one group. With the first nuclear marker in each, as it is what one finds one's way by. */
export function groupsOf(channels: readonly Channel[]): readonly MixGroup[] {
  if (channels.length <= TOGETHER) return [];
  const nuclear = channels.findIndex(({ name }) => NUCLEAR.test(name));
  const markers = channels.map((_, c) => c).filter((c) => c !== nuclear);
  const always = nuclear < 0 ? [] : [nuclear];
  const size = TOGETHER - always.length;
  const groups: MixGroup[] = [];
  for (let at = 0; at < markers.length; at += size) {
    const own = markers.slice(at, at + size);
    groups.push({ name: nameOf(always, own, channels), mix: coloured(always, own, channels) });
  }
  return groups;
}

function nameOf(always: readonly number[], own: readonly number[], channels: readonly Channel[]): string {
  return [...always, ...own].map((c) => channels[c]!.name).join(" + ");
}

function coloured(always: readonly number[], own: readonly number[], channels: readonly Channel[]): Mix {
  const all = [...always, ...own];
  const differ = new Set(all.map((c) => channels[c]!.colour)).size === all.length;
  const mix = all.map((c) => {
    const { colour, display } = channels[c]!;
    const other = always.includes(c) ? NUCLEAR_COLOUR : COLOURS[own.indexOf(c)]!;
    const { low, high, gamma } = display;
    return { c, colour: differ ? colour : other, low, high, gamma };
  });
  return mix.sort((a, b) => a.c - b.c);
}

/** The number of the group that is `by` after the one whose channels are shown; the first one, or the last, if none is. */
export function stepFrom(groups: readonly { readonly mix: Mix }[], shown: Mix, by: 1 | -1): number {
  const now = groupShown(groups, shown);
  if (now < 0) return by > 0 ? 0 : groups.length - 1;
  return (now + by + groups.length) % groups.length;
}

/** The number of the group whose mix is shown, or else whose channels; -1: of none. */
export function groupShown(groups: readonly { readonly mix: Mix }[], shown: Mix): number {
  const exact = groups.findIndex(({ mix }) => JSON.stringify(sorted(mix)) === JSON.stringify(sorted(shown)));
  const channels = ({ mix }: { readonly mix: Mix }): string =>
    sorted(mix)
      .map(({ c }) => c)
      .join();
  return exact >= 0 ? exact : groups.findIndex((group) => channels(group) === channels({ mix: shown }));
}

const sorted = (mix: Mix): Mix =>
  [...mix].sort((a, b) => a.c - b.c).map(({ c, colour, low, high, gamma }) => ({ c, colour, low, high, gamma }));
