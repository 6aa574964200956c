import { Button, Group, Stack, Table, Text } from "@mantine/core";
import { useStore } from "zustand";
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { t } from "@wavescope/core/i18n/i18n";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import type { OverlayInteraction } from "@wavescope/viewer/overlays/interaction";
import { areaText, countLines, scoreLabel } from "./labels";

interface Props {
  readonly manifest: Manifest;
  readonly interaction: OverlayInteraction;
}

/** How many objects a region has, by class: a box, a lasso, or the whole view. */
export function RegionCount({ manifest, interaction }: Props) {
  const { tool, sums, region } = useStore(interaction.state);
  const toggle = (kind: "box" | "lasso"): void => interaction.choose(tool === kind ? null : kind);
  return (
    <Stack gap={6} component="section" aria-label={t("overlays.measure")}>
      <Text size="sm" fw={500}>
        {t("overlays.measure")}
      </Text>
      <Group gap={6}>
        <Button
          size="compact-xs"
          variant={tool === "box" ? "filled" : "default"}
          aria-pressed={tool === "box"}
          onClick={() => toggle("box")}
        >
          {t("overlays.measureBox")}
        </Button>
        <Button
          size="compact-xs"
          variant={tool === "lasso" ? "filled" : "default"}
          aria-pressed={tool === "lasso"}
          onClick={() => toggle("lasso")}
        >
          {t("overlays.measureLasso")}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => interaction.countView()}>
          {t("overlays.measureView")}
        </Button>
        {region && (
          <Button size="compact-xs" variant="subtle" onClick={() => interaction.clearRegion()}>
            {t("overlays.clearMeasure")}
          </Button>
        )}
      </Group>
      {tool && (
        <Text size="xs" c="dimmed">
          {t("overlays.measureHint")}
        </Text>
      )}
      <div aria-live="polite">
        {sums?.map(({ info, sums: found }) => (
          <div key={info.id} data-testid="region-count">
            <Text size="xs" c="dimmed">
              {info.name} · {t("overlays.regionArea", { area: areaText(found.area, manifest.mpp) })}
            </Text>
            <Table verticalSpacing={2} fz="xs">
              <Table.Tbody>
                {countLines(info, found, manifest.mpp).map(({ name, count, density, mean }) => (
                  <Table.Tr key={name}>
                    <Table.Td>{name}</Table.Td>
                    <Table.Td ta="right">{groupedNumber(count)}</Table.Td>
                    <Table.Td ta="right">
                      {density !== null && t("overlays.perMm2", { density: Number(density.toPrecision(4)) })}
                    </Table.Td>
                    <Table.Td
                      ta="right"
                      title={
                        info.score
                          ? t("overlays.meanScore", {
                              name: info.score.name,
                              score: mean === null ? "" : scoreLabel(mean, info.score),
                            })
                          : undefined
                      }
                    >
                      {mean !== null && scoreLabel(mean, info.score!)}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {!found.exact && (
              <Text size="xs" c="dimmed">
                {t("overlays.bySquares")}
              </Text>
            )}
          </div>
        ))}
      </div>
    </Stack>
  );
}
