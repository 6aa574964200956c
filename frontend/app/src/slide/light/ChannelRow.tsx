import { decimal } from "@wavescope/core/geometry/figures";
import { Button, Checkbox, ColorInput, Group, RangeSlider, Slider, Stack, Text } from "@mantine/core";
import { useEffect, useState, useSyncExternalStore } from "react";
import { type Histogram, endsFor } from "@wavescope/core/tiles/channels/histogram";
import type { SampleRange } from "@wavescope/core/tiles/channels/mix";
import type { ChannelSetting } from "@wavescope/core/tiles/channels/settings";
import { t } from "@wavescope/core/i18n/i18n";
import type { ChannelMixing } from "./channelMixing";
import { ChannelHistogram } from "./ChannelHistogram";
import { fromSlider, toSlider } from "./scales";

interface Props {
  readonly setting: ChannelSetting;
  readonly source: ChannelMixing["source"];
  readonly range: SampleRange;
  /** It is the only one that is on, and stays so. */
  readonly only: boolean;
  readonly onChange: (part: Partial<ChannelSetting>) => void;
  readonly onSolo: () => void;
}

/** One channel: on or off, its colour and, while it is on, its window over a histogram, and gamma. */
export function ChannelRow({ setting, source, range, only, onChange, onSolo }: Props) {
  const { c, name, on, colour } = setting;
  return (
    <Stack gap={4} data-testid="channel">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Checkbox
          label={name}
          checked={on}
          disabled={only}
          onChange={(event) => onChange({ on: event.currentTarget.checked })}
          styles={{ label: { overflowWrap: "anywhere" } }}
        />
        <Group gap={4} wrap="nowrap">
          <Button
            size="compact-xs"
            variant={only ? "filled" : "default"}
            aria-pressed={only}
            aria-label={t("light.soloOf", { name })}
            onClick={onSolo}
          >
            {t("light.solo")}
          </Button>
          <ColorInput
            withEyeDropper={false}
            size="xs"
            w={104}
            value={`#${colour}`}
            aria-label={t("light.colourOf", { name })}
            onChange={(value) => /^#[0-9a-f]{6}$/i.test(value) && onChange({ colour: value.slice(1).toUpperCase() })}
          />
        </Group>
      </Group>
      {on && <Shown key={c} setting={setting} source={source} range={range} onChange={onChange} />}
    </Stack>
  );
}

/** How a channel that is on is shown. */
function Shown({ setting, source, range, onChange }: Omit<Props, "only" | "onSolo">) {
  const { c, name, colour, low, high, gamma } = setting;
  const histogram = useHistogram(source, c);
  const { min, max, step } = endsFor(histogram, setting, range);
  return (
    <Stack gap={2} ps={28}>
      {histogram && <ChannelHistogram histogram={histogram} colour={colour} min={min} max={max} />}
      <RangeSlider
        size="sm"
        min={min}
        max={max}
        step={step}
        minRange={1}
        label={null}
        value={[low, high]}
        thumbFromLabel={t("light.windowFrom", { name })}
        thumbToLabel={t("light.windowTo", { name })}
        onChange={([from, to]) => onChange({ low: from, high: Math.max(from + 1, to) })}
      />
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }} data-testid="window">
          {t("light.windowOf", { low, high })}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          disabled={!histogram}
          aria-label={t("light.contrastOf", { name })}
          onClick={() => histogram && onChange(histogram.contrast)}
        >
          {t("light.autoContrast")}
        </Button>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Text size="xs" c="dimmed" w={84}>
          {t("light.gammaValue", { gamma: decimal((gamma / 100).toFixed(2)) })}
        </Text>
        <Slider
          flex={1}
          size="xs"
          min={-100}
          max={100}
          label={null}
          value={toSlider("gamma", gamma / 100)}
          thumbLabel={t("light.gammaOf", { name })}
          onChange={(position) => onChange({ gamma: Math.round(100 * fromSlider("gamma", position)) })}
        />
      </Group>
    </Stack>
  );
}

/** Null until the coarsest level is here. */
function useHistogram(source: ChannelMixing["source"], c: number): Histogram | null {
  const [histogram, setHistogram] = useState<Histogram | null>(null);
  const here = useSyncExternalStore(source.subscribe, () => source.hasHistogram(c));
  useEffect(() => {
    if (!here) return undefined;
    let ended = false;
    source.histogram(c).then(
      (made) => !ended && setHistogram(made),
      () => undefined, // damaged: the channel is shown without
    );
    return () => void (ended = true);
  }, [source, c, here]);
  return histogram;
}
