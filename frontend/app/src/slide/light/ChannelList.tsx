import { Button, Divider, Group, Stack, Text, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import { ChannelPictures } from "@wavescope/core/tiles/channels/channelPictures";
import { type SampleRange, channelsOf, defaultMix, entriesOf, sampleRange } from "@wavescope/core/tiles/channels/mix";
import {
  type ChannelSetting,
  found,
  mixOf,
  settingsOf,
  soloed,
  withMix,
} from "@wavescope/core/tiles/channels/settings";
import type { Channel } from "@wavescope/core/wire/slides/manifest";
import { type Light, lightOf } from "@wavescope/viewer/light/light";
import { t } from "@wavescope/core/i18n/i18n";
import type { PartProps } from "../../microscope/parts";
import { ChannelRow } from "./ChannelRow";

/** From so many channels on, one is searched for. */
const MANY = 8;

/** The channels of a slide: which are on, in which colour and window. Nothing where the service makes the pictures. */
export function ChannelList({ microscope, manifest }: PartProps) {
  const { source } = microscope;
  if (!(source instanceof ChannelPictures)) return null;
  return (
    <Stack gap="xs" data-testid="channels">
      <Channels
        light={lightOf(microscope)}
        source={source}
        channels={channelsOf(manifest)}
        range={sampleRange(manifest)}
      />
      <Divider />
    </Stack>
  );
}

interface Props {
  readonly light: Light;
  readonly source: ChannelPictures;
  readonly channels: readonly Channel[];
  readonly range: SampleRange;
}

function Channels({ light, source, channels, range }: Props) {
  const { mix } = useStore(light.state, ({ adjustments }) => adjustments);
  const [remembered, remember] = useState<readonly ChannelSetting[]>(() => settingsOf(channels, []));
  const settings = withMix(remembered, mix ? source.mix : defaultMix(channels));
  const [typed, setTyped] = useState("");
  const beforeSolo = useRef<ReadonlySet<number>>(new Set());
  const on = settings.filter((one) => one.on).length;
  const show = (next: readonly ChannelSetting[]): void => {
    remember(next);
    light.set({ ...light.state.getState().adjustments, mix: entriesOf(mixOf(next)) });
  };
  const change = (c: number, part: Partial<ChannelSetting>): void =>
    show(settings.map((one) => (one.c === c ? { ...one, ...part } : one)));
  const solo = (c: number): void => {
    if (on > 1 || !settings[c]!.on) beforeSolo.current = new Set(settings.filter((one) => one.on).map((one) => one.c));
    show(soloed(settings, c, beforeSolo.current));
  };
  const reset = (): void => {
    remember(settingsOf(channels, []));
    light.set({ ...light.state.getState().adjustments, mix: null });
  };
  const contrast = async (): Promise<void> => {
    const made = await Promise.all(settings.map(({ c }) => source.histogram(c)));
    show(settings.map((one, i) => ({ ...one, ...made[i]?.contrast })));
  };
  return (
    <>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={500}>
          {t("light.channelsOn", { on, count: settings.length })}
        </Text>
        <Group gap={4}>
          <Button size="compact-xs" variant="default" onClick={() => void contrast()}>
            {t("light.autoContrastOfAll")}
          </Button>
          <Button size="compact-xs" variant="default" onClick={reset}>
            {t("light.resetChannels")}
          </Button>
        </Group>
      </Group>
      {settings.length >= MANY && (
        <TextInput
          size="xs"
          type="search"
          placeholder={t("light.searchChannels")}
          aria-label={t("light.searchChannels")}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {found(settings, typed).map((one) => (
        <ChannelRow
          key={one.c}
          setting={one}
          source={source}
          range={range}
          only={one.on && on === 1}
          onChange={(part) => change(one.c, part)}
          onSolo={() => solo(one.c)}
        />
      ))}
    </>
  );
}
