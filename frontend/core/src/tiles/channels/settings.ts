/** What a user sets for each channel of a slide, whether it is on or not. */
import type { Channel, Mix, Shown } from "./mix";

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

/** The mix of the channels that are on. */
export function mixOf(settings: readonly ChannelSetting[]): Mix {
  return settings.filter(({ on }) => on).map(({ c, colour, low, high, gamma }) => ({ c, colour, low, high, gamma }));
}
