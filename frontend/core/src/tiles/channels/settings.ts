/** What a user sets for each channel of a slide, whether it is on or not. */
import type { Channel } from "../../wire/slides/manifest";
import type { Mix, Shown } from "./mix";

export interface ChannelSetting extends Shown {
  readonly name: string;
  readonly on: boolean;
}

/** Of all channels: those of the mix as they are shown, the others as the slide describes them. */
export function settingsOf(channels: readonly Channel[], mix: Mix): ChannelSetting[] {
  return channels.map(({ name, colour, display: { low, high, gamma } }, c) => {
    const shown = mix.find((one) => one.c === c);
    return { name, c, colour, low, high, gamma, ...shown, on: shown !== undefined };
  });
}

/** The same settings with the channels of a mix on, as it shows them; the others are off and keep theirs. */
export function withMix(settings: readonly ChannelSetting[], mix: Mix): readonly ChannelSetting[] {
  return settings.map((one) => {
    const shown = mix.find(({ c }) => c === one.c);
    return { ...one, ...shown, on: shown !== undefined };
  });
}

/** Those whose name contains what is typed, in any case. */
export function found(settings: readonly ChannelSetting[], typed: string): readonly ChannelSetting[] {
  const wanted = typed.trim().toLowerCase();
  return settings.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** This channel alone; all that were on before, if it is alone already. */
export function soloed(
  settings: readonly ChannelSetting[],
  c: number,
  before: ReadonlySet<number>,
): readonly ChannelSetting[] {
  const alone = settings.every((one) => one.on === (one.c === c));
  return settings.map((one) => ({ ...one, on: alone ? before.has(one.c) || one.c === c : one.c === c }));
}

/** The mix of the channels that are on. */
export function mixOf(settings: readonly ChannelSetting[]): Mix {
  return settings.filter(({ on }) => on).map(({ c, colour, low, high, gamma }) => ({ c, colour, low, high, gamma }));
}

/** How a channel of a name is shown: what another slide with such a channel can take over. */
export type NamedShown = Omit<Shown, "c"> & { readonly name: string };

export function namedOf(settings: readonly ChannelSetting[]): readonly NamedShown[] {
  return settings
    .filter(({ on }) => on)
    .map(({ name, colour, low, high, gamma }) => ({ name, colour, low, high, gamma }));
}

/** The mix of the channels with these names, each as it is named; empty if the slide has none of them. */
export function mixByNames(settings: readonly ChannelSetting[], named: readonly NamedShown[]): Mix {
  const known = new Map(named.map(({ name, ...shown }) => [name.trim().toLowerCase(), shown]));
  return settings.flatMap(({ c, name }) => {
    const shown = known.get(name.trim().toLowerCase());
    return shown ? [{ c, ...shown }] : [];
  });
}
