import { Button, Group, Paper, Text } from "@mantine/core";
import { useStore } from "zustand";
import { t } from "@wavescope/core/i18n/i18n";
import { allows } from "@wavescope/core/wire/slides/manifest";
import { annotationsOf } from "@wavescope/viewer/annotate/annotations";
import { type Found, type OverlayInteraction, shapeOf } from "@wavescope/viewer/overlays/interaction";
import type { PartProps } from "../../microscope/parts";
import { notify } from "../../ui/notice";
import { className, hitLines } from "./labels";

interface Props extends PartProps {
  readonly interaction: OverlayInteraction;
}

/** The object that was clicked: what it is, and copying it to the annotations. */
export function SelectedObject({ microscope, manifest, interaction }: Props) {
  const selected = useStore(interaction.state, (state) => state.selected);
  if (!selected) return null;
  const outlined = selected.hit.kind === "shape" && selected.hit.rings.length > 0;
  return (
    <Paper withBorder p="xs" data-testid="overlay-selected">
      {hitLines(selected.info, selected.hit, manifest.mpp).map((line, i) => (
        <Text key={line} size="sm" fw={i === 0 ? 600 : 400}>
          {line}
        </Text>
      ))}
      <Group gap="xs" mt={6}>
        {selected.hit.kind === "shape" && allows(manifest, "edit annotations") && (
          <Button
            size="compact-xs"
            variant="default"
            disabled={!outlined}
            title={outlined ? undefined : t("overlays.promoteHint")}
            onClick={() => promote(microscope, selected)}
          >
            {t("overlays.promote")}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => interaction.select(null)}>
          {t("common.close")}
        </Button>
      </Group>
    </Paper>
  );
}

/** Adds the object to the annotations, with its class (OV52). */
function promote(microscope: PartProps["microscope"], { info, hit }: Found): void {
  const shape = shapeOf(hit);
  if (hit.kind !== "shape" || !shape) return;
  annotationsOf(microscope).store.add([{ shape, class: info.classes[hit.of]?.name ?? "" }], microscope.plane);
  notify(`${className(info, hit.of)}: ${t("overlays.promoted")}`);
}
