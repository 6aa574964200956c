import { Button, Group, NativeSelect, RangeSlider, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { COLOR_MAPS, type ColorMap, type Style, colorAt, cssColor } from "@wavescope/core/overlays/style";
import type { OverlayInteraction } from "@wavescope/viewer/overlays/interaction";
import type { OverlayEntry, Overlays } from "@wavescope/viewer/overlays/overlays";
import { scoreOf } from "@wavescope/viewer/overlays/settings";
import { ScoreHistogram } from "./ScoreHistogram";
import { scoreLabel } from "./labels";

interface Props {
  readonly entry: OverlayEntry;
  readonly overlays: Overlays;
  readonly interaction: OverlayInteraction;
  readonly onChange: (part: Partial<Style>) => void;
}

const MAPS: Readonly<Record<ColorMap, string>> = {
  viridis: t("overlays.viridis"),
  magma: t("overlays.magma"),
  coolwarm: t("overlays.coolwarm"),
  grey: t("overlays.grey"),
};

/** The score as a colour, and which scores are shown, over a histogram of what is in view. */
export function ScoreSection({ entry, overlays, interaction, onChange }: Props) {
  const { info, style, status } = entry;
  const histogram = useHistogram(entry, overlays);
  const { name } = info.score!;
  const label = (stored: number): string => scoreLabel(scoreOf(info, stored), info.score!);
  return (
    <Stack gap={6} data-testid="overlay-score">
      {!info.raster && (
        <Group justify="space-between" gap="xs">
          <Text size="xs">{t("overlays.colourBy")}</Text>
          <SegmentedControl
            size="xs"
            aria-label={t("overlays.colourBy")}
            value={style.byScore ? "score" : "class"}
            onChange={(value) => onChange({ byScore: value === "score" })}
            data={[
              { value: "class", label: t("overlays.byClass") },
              { value: "score", label: name || t("overlays.byScore") },
            ]}
          />
        </Group>
      )}
      {style.byScore && (
        <>
          <NativeSelect
            size="xs"
            aria-label={t("overlays.colourMap")}
            value={style.map}
            onChange={(event) => onChange({ map: event.currentTarget.value as ColorMap })}
            data={COLOR_MAPS.map((value) => ({ value, label: MAPS[value] }))}
          />
          <div aria-hidden="true" style={{ height: 10, borderRadius: 3, background: gradientOf(style.map) }} />
          <Range
            text={t("overlays.mapRange", { from: label(style.from), to: label(style.to) })}
            names={[t("overlays.mapFrom"), t("overlays.mapTo")]}
            value={[style.from, style.to]}
            onChange={([from, to]) => onChange({ from, to })}
          />
        </>
      )}
      {histogram && <ScoreHistogram counts={histogram} style={style} />}
      <Range
        text={t("overlays.threshold", {
          name: name || t("overlays.values"),
          from: label(style.least),
          to: label(style.most),
        })}
        names={[t("overlays.thresholdFrom"), t("overlays.thresholdTo")]}
        value={[style.least, style.most]}
        onChange={([least, most]) => onChange({ least, most })}
      />
      {!info.raster && status?.detail !== "counts" && (
        <Group gap={6} role="group" aria-label={t("overlays.review", { name })}>
          <Button size="compact-xs" variant="default" onClick={() => void interaction.step(info, -1)}>
            {t("overlays.previous")}
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => void interaction.step(info, 1)}>
            {t("overlays.next")}
          </Button>
        </Group>
      )}
      {status?.detail === "counts" && (
        <Text size="xs" c="dimmed">
          {t("overlays.thresholdHint")}
        </Text>
      )}
    </Stack>
  );
}

interface RangeProps {
  readonly text: string;
  readonly names: readonly [string, string];
  readonly value: readonly [number, number];
  readonly onChange: (value: [number, number]) => void;
}

function Range({ text, names, value, onChange }: RangeProps) {
  return (
    <div>
      <RangeSlider
        size="sm"
        min={0}
        max={255}
        minRange={0}
        label={null}
        thumbFromLabel={names[0]}
        thumbToLabel={names[1]}
        value={[...value]}
        onChange={onChange}
      />
      <Text size="xs" c="dimmed" style={{ fontVariantNumeric: "tabular-nums" }}>
        {text}
      </Text>
    </div>
  );
}

const gradientOf = (map: ColorMap): string =>
  `linear-gradient(90deg, ${Array.from({ length: 9 }, (_, i) => cssColor(colorAt(map, i / 8))).join(", ")})`;

/** Of what is in view, once it is drawn; null where single objects are not. */
function useHistogram({ info, status, style }: OverlayEntry, overlays: Overlays): Uint32Array | null {
  const [counts, setCounts] = useState<Uint32Array | null>(null);
  const { hidden } = style;
  useEffect(() => {
    let ended = false;
    overlays
      .layer(info.id)
      ?.histogram()
      .then(
        (made) => !ended && setCounts(made),
        () => undefined, // shown without
      );
    return () => void (ended = true);
  }, [overlays, info.id, status, hidden]);
  return counts;
}
