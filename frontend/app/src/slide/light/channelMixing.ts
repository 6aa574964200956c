/** The channels of one microscope: what is set for each, the way back, and the mixes that can be chosen. */
import { type StoreApi, createStore } from "zustand/vanilla";
import { ChannelPictures } from "@wavescope/core/tiles/channels/channelPictures";
import { groupShown, groupsOf, stepFrom } from "@wavescope/core/tiles/channels/groups";
import {
  type Mix,
  type SampleRange,
  channelsOf,
  defaultMix,
  entriesOf,
  mixOfEntries,
  sampleRange,
} from "@wavescope/core/tiles/channels/mix";
import type { MixEntries } from "@wavescope/core/tiles/channels/mixEntries";
import { type ChannelSetting, mixOf, settingsOf, soloed, withMix } from "@wavescope/core/tiles/channels/settings";
import { type Steps, noSteps, recorded, redone, undone } from "@wavescope/core/tiles/channels/steps";
import { type SavedMixes, readMixes, saveMixes } from "@wavescope/core/wire/catalog/mixesClient";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import type { Channel } from "@wavescope/core/wire/slides/manifest";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { type Light, lightOf } from "@wavescope/viewer/light/light";
import type { Edit } from "./savedMixes";

interface Moment {
  readonly settings: readonly ChannelSetting[];
  /** Null: the mix of the slide. */
  readonly mix: MixEntries | null;
}

interface MixingState {
  /** Of all channels: those that are off keep theirs. */
  readonly remembered: readonly ChannelSetting[];
  readonly steps: Steps<Moment>;
  /** Null: not read yet. */
  readonly saved: SavedMixes | null;
}

/** A mix that can be chosen: one that was saved, or a group of the slide's channels. */
export interface Choice {
  readonly kind: "saved" | "group";
  readonly name: string;
  readonly mix: Mix;
}

const NONE_SAVED: SavedMixes = { revision: 0, mixes: [] };

export class ChannelMixing {
  readonly state: StoreApi<MixingState>;
  readonly range: SampleRange;
  private readonly channels: readonly Channel[];
  private readonly groups: readonly Choice[];
  private beforeSolo: ReadonlySet<number> = new Set();

  constructor(
    private readonly microscope: Pick<Microscope, "manifest">,
    readonly light: Pick<Light, "state" | "set">,
    readonly source: Pick<ChannelPictures, "mix" | "histogram" | "hasHistogram" | "subscribe">,
  ) {
    this.range = sampleRange(microscope.manifest);
    this.channels = channelsOf(microscope.manifest);
    const remembered = settingsOf(this.channels, []);
    this.state = createStore<MixingState>(() => ({ remembered, steps: noSteps, saved: null }));
    this.groups = groupsOf(this.channels).map((group) => ({ kind: "group", ...group }));
  }

  /** Of all channels, as they are shown now. */
  settings(): readonly ChannelSetting[] {
    const { mix } = this.light.state.getState().adjustments;
    return withMix(this.state.getState().remembered, mix ? this.source.mix : defaultMix(this.channels));
  }

  set(c: number, part: Partial<ChannelSetting>): void {
    const kind = "on" in part ? null : `${c} ${Object.keys(part).join()}`;
    const settings = this.settings().map((one) => (one.c === c ? { ...one, ...part } : one));
    this.change(settings, kind);
  }

  /** This channel alone, or again all that were on before. */
  solo(c: number): void {
    const settings = this.settings();
    const on = settings.filter((one) => one.on);
    if (on.length > 1 || !settings[c]!.on) this.beforeSolo = new Set(on.map((one) => one.c));
    this.change(soloed(settings, c, this.beforeSolo));
  }

  /** The windows of all channels that are on, by their histograms. */
  async autoContrast(): Promise<void> {
    const made = await Promise.all(this.settings().map(({ c }) => this.source.histogram(c)));
    this.change(this.settings().map((one, i) => ({ ...one, ...made[i]?.contrast })));
  }

  reset(): void {
    this.record({ settings: settingsOf(this.channels, []), mix: null }, null);
  }

  choose(mix: Mix): void {
    this.change(withMix(this.settings(), mix));
  }

  undo(): void {
    this.turn(undone(this.state.getState().steps));
  }

  redo(): void {
    this.turn(redone(this.state.getState().steps));
  }

  /** Saved ones first. */
  choices(): readonly Choice[] {
    const { mixes } = this.state.getState().saved ?? NONE_SAVED;
    const saved = mixes.map(({ name, channels }) => ({
      kind: "saved" as const,
      name,
      mix: mixOfEntries(channels).filter(({ c }) => c < this.channels.length),
    }));
    return [...saved.filter(({ mix }) => mix.length > 0), ...this.groups];
  }

  /** The one that is shown; null: another mix is. */
  chosen(): Choice | null {
    const choices = this.choices();
    return choices[groupShown(choices, mixOf(this.settings()))] ?? null;
  }

  /** The name of the mix that follows, or precedes, the one that is shown, and is shown from now on. */
  step(by: 1 | -1): string | null {
    const choices = this.choices();
    const next = choices[stepFrom(choices, mixOf(this.settings()), by)];
    if (!next) return null;
    this.choose(next.mix);
    return next.name;
  }

  /** Reads the saved mixes, once; slides that are read from files have none. */
  async load(): Promise<SavedMixes> {
    const { files, id, preview } = this.microscope.manifest;
    const saved = this.state.getState().saved ?? (files || preview ? NONE_SAVED : await readMixes(id));
    this.state.setState({ saved });
    return saved;
  }

  /** Changes the saved mixes; where another user has changed them since, the newest. */
  async save(edit: Edit): Promise<void> {
    const { id } = this.microscope.manifest;
    const before = await this.load();
    try {
      this.state.setState({ saved: await saveMixes(id, edit(before.mixes), before.revision) });
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem !== "stale-revision") throw error;
      const newest = await readMixes(id);
      this.state.setState({ saved: await saveMixes(id, edit(newest.mixes), newest.revision) });
    }
  }

  private change(settings: readonly ChannelSetting[], kind: string | null = null): void {
    this.record({ settings, mix: entriesOf(mixOf(settings)) }, kind);
  }

  private record(after: Moment, kind: string | null): void {
    const before = { settings: this.settings(), mix: this.light.state.getState().adjustments.mix };
    this.show(after, recorded(this.state.getState().steps, { kind, before, after }));
  }

  private turn(turned: { readonly steps: Steps<Moment>; readonly value: Moment } | null): void {
    if (turned) this.show(turned.value, turned.steps);
  }

  private show({ settings, mix }: Moment, steps: Steps<Moment>): void {
    this.state.setState({ remembered: settings, steps });
    this.light.set({ ...this.light.state.getState().adjustments, mix });
  }
}

const mixings = new WeakMap<Microscope, ChannelMixing>();

/** Null: the slide has no channels, or the service makes its pictures. */
export function mixingOf(microscope: Microscope): ChannelMixing | null {
  const { source } = microscope;
  if (!(source instanceof ChannelPictures)) return null;
  let mixing = mixings.get(microscope);
  if (!mixing) mixings.set(microscope, (mixing = new ChannelMixing(microscope, lightOf(microscope), source)));
  return mixing;
}
