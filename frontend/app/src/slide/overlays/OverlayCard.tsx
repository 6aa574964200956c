import { ActionIcon, Alert, Anchor, Group, Paper, Slider, Stack, Text } from "@mantine/core";
import { IconEye, IconEyeOff, IconTrash } from "@tabler/icons-react";
import { withUnit } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import { shapesUrl } from "@wavescope/core/wire/catalog/overlaysClient";
import { explain } from "@wavescope/core/wire/http/explain";
import type { OverlayInteraction } from "@wavescope/viewer/overlays/interaction";
import type { OverlayEntry, Overlays } from "@wavescope/viewer/overlays/overlays";
import { notifyFailure, notifyWithUndo } from "../../ui/notice";
import { ClassRows } from "./ClassRows";
import { ScoreSection } from "./ScoreSection";
import { rasterText } from "./labels";

interface Props {
  readonly entry: OverlayEntry;
  readonly overlays: Overlays;
  readonly interaction: OverlayInteraction;
  readonly editable: boolean;
}

const DETAILS = {
  outlines: t("overlays.detailOutlines"),
  symbols: t("overlays.detailSymbols"),
  counts: t("overlays.detailCounts"),
} as const;

/** One overlay: its eye and name, and while it is shown its opacity, classes and scores. */
export function OverlayCard({ entry, overlays, interaction, editable }: Props) {
  const { info, visible, opacity, style, status } = entry;
  const { raster } = info;
  const change = (part: Parameters<Overlays["change"]>[1]): void => overlays.change(info.id, part);
  return (
    <Paper
      withBorder
      p="xs"
      component="section"
      aria-label={info.name}
      data-testid="overlay"
      data-detail={status?.detail}
    >
      <Group gap={6} wrap="nowrap" justify="space-between">
        <div style={{ minWidth: 0 }}>
          <Text size="sm" fw={600} truncate title={info.name}>
            {info.name}
          </Text>
          <Text size="xs" c="dimmed">
            {raster ? rasterText(raster) : t("overlays.shapes", { count: info.shapes })}
            {visible && status?.detail && status.detail !== "raster" && ` · ${DETAILS[status.detail]}`}
          </Text>
        </div>
        <Group gap={2} wrap="nowrap">
          {editable && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("overlays.remove", { name: info.name })}
              onClick={() => void removeWithUndo(overlays, entry)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("overlays.show", { name: info.name })}
            aria-pressed={visible}
            onClick={() => change({ visible: !visible })}
          >
            {visible ? <IconEye size={16} /> : <IconEyeOff size={16} />}
          </ActionIcon>
        </Group>
      </Group>
      {visible && (
        <Stack gap="xs" mt="xs">
          {status?.refusal != null && (
            <Alert color="red" p="xs" title={t("overlays.refused")}>
              {explain(status.refusal)}
            </Alert>
          )}
          {status && status.damaged > 0 && (
            <Alert color="yellow" p="xs">
              {t("overlays.damaged", { count: status.damaged })}
            </Alert>
          )}
          <PartSlider
            label={t("overlays.opacity")}
            name={t("overlays.opacityOf", { name: info.name })}
            value={opacity}
            onChange={(value) => change({ opacity: value })}
          />
          {!raster && (
            <PartSlider
              label={t("overlays.fill")}
              name={t("overlays.fillOf", { name: info.name })}
              value={style.fill}
              onChange={(fill) => change({ style: { fill } })}
            />
          )}
          {!raster && !overlays.microscope.manifest.files && (
            <Downloads slide={overlays.microscope.manifest.id} overlay={info.id} />
          )}
          {hasClasses(info) && <ClassRows info={info} style={style} onChange={(part) => change({ style: part })} />}
          {raster?.kind === "labels" && raster.labels.length === 0 && (
            <Text size="xs" c="dimmed">
              {t("overlays.manyLabels")}
            </Text>
          )}
          {info.score && (
            <ScoreSection
              entry={entry}
              overlays={overlays}
              interaction={interaction}
              onChange={(part) => change({ style: part })}
            />
          )}
        </Stack>
      )}
    </Paper>
  );
}

/** A raster has a class for each label, unless it has too many. */
const hasClasses = ({ raster }: OverlayEntry["info"]): boolean => !raster || raster.labels.length > 0;

const FORMATS: readonly (readonly [format: string, label: string])[] = [
  ["geojson", t("overlays.geojson")],
  ["csv", t("overlays.csv")],
  ["parquet", t("overlays.geoparquet")],
  ["dicom", t("overlays.dicom")],
];

/** All shapes as files (OV33). */
function Downloads({ slide, overlay }: { readonly slide: string; readonly overlay: string }) {
  return (
    <Group gap="4px 12px" role="group" aria-label={t("overlays.download")}>
      {FORMATS.map(([format, label]) => (
        <Anchor key={format} size="xs" href={shapesUrl(slide, overlay, format)} download>
          {label}
        </Anchor>
      ))}
    </Group>
  );
}

interface PartSliderProps {
  readonly label: string;
  readonly name: string;
  /** 0 to 1. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function PartSlider({ label, name, value, onChange }: PartSliderProps) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Text size="xs" w={52}>
        {label}
      </Text>
      <Slider
        flex={1}
        size="sm"
        min={0}
        max={100}
        label={null}
        thumbLabel={name}
        value={Math.round(100 * value)}
        onChange={(percent) => onChange(percent / 100)}
      />
      <Text size="xs" c="dimmed" w={44} ta="right" style={{ fontVariantNumeric: "tabular-nums" }}>
        {withUnit(Math.round(100 * value), "%")}
      </Text>
    </Group>
  );
}

async function removeWithUndo(overlays: Overlays, { info }: OverlayEntry): Promise<void> {
  try {
    await overlays.remove(info.id);
  } catch (error) {
    return notifyFailure(t("overlays.notRemoved"), explain(error));
  }
  notifyWithUndo(t("overlays.removed", { name: info.name }), () => {
    overlays.restore(info.id).catch((error: unknown) => notifyFailure(t("overlays.notRestored"), explain(error)));
  });
}
