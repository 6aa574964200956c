import { Checkbox, ColorInput, Divider, Group, RangeSlider, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { ChannelPictures } from "@wavescope/core/tiles/channels/channelPictures";
import { type Channel, type SampleRange, channelsOf, sampleRange } from "@wavescope/core/tiles/channels/mix";
import { type ChannelSetting, mixOf, settingsOf } from "@wavescope/core/tiles/channels/settings";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { t } from "@wavescope/core/i18n/i18n";
import type { PartProps } from "../../microscope/parts";

/** The channels of a slide: which are on, in which colour and window. Nothing where the service makes the pictures. */
export function ChannelList({ microscope, manifest }: PartProps) {
  const { source } = microscope;
  if (!(source instanceof ChannelPictures)) return null;
  return (
    <Stack gap="xs" data-testid="channels">
      <Text size="sm" fw={500}>
        {t("light.channels")}
      </Text>
      <Channels microscope={microscope} source={source} channels={channelsOf(manifest)} range={sampleRange(manifest)} />
      <Divider />
    </Stack>
  );
}

interface Props {
  readonly microscope: Microscope;
  readonly source: ChannelPictures;
  readonly channels: readonly Channel[];
  readonly range: SampleRange;
}

function Channels({ microscope, source, channels, range }: Props) {
  const [settings, setSettings] = useState(() => settingsOf(channels, source.mix));
  const on = settings.filter((one) => one.on).length;
  const change = (c: number, part: Partial<ChannelSetting>): void => {
    const next = settings.map((one) => (one.c === c ? { ...one, ...part } : one));
    setSettings(next);
    source.setMix(mixOf(next));
    microscope.remix();
  };
  return settings.map((one) => (
    <ChannelRow
      key={one.c}
      setting={one}
      range={range}
      only={one.on && on === 1}
      onChange={(part) => change(one.c, part)}
    />
  ));
}

interface ChannelProps {
  readonly setting: ChannelSetting;
  readonly range: SampleRange;
  /** It is the only one that is on, and stays so. */
  readonly only: boolean;
  readonly onChange: (part: Partial<ChannelSetting>) => void;
}

function ChannelRow({ setting: { name, on, colour, low, high }, range, only, onChange }: ChannelProps) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap">
        <Checkbox
          label={name}
          checked={on}
          disabled={only}
          onChange={(event) => onChange({ on: event.currentTarget.checked })}
        />
        <ColorInput
          withEyeDropper={false}
          size="xs"
          w={110}
          value={`#${colour}`}
          aria-label={t("light.colourOf", { name })}
          onChange={(value) => /^#[0-9a-f]{6}$/i.test(value) && onChange({ colour: value.slice(1).toUpperCase() })}
        />
      </Group>
      {on && (
        <RangeSlider
          min={range.least}
          max={range.most}
          minRange={1}
          label={null}
          value={[low, high]}
          thumbFromLabel={t("light.windowFrom", { name })}
          thumbToLabel={t("light.windowTo", { name })}
          onChange={([from, to]) => onChange({ low: from, high: to })}
        />
      )}
    </Stack>
  );
}
