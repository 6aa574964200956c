import { Alert, Button, Loader, Stack, Text } from "@mantine/core";
import { useStore } from "zustand";
import { t } from "@wavescope/core/i18n/i18n";
import { explain } from "@wavescope/core/wire/http/explain";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "../../microscope/parts";
import { OverlayCard } from "./OverlayCard";
import { RegionCount } from "./RegionCount";
import { SelectedObject } from "./SelectedObject";
import { useOverlays } from "./useOverlays";

/** The overlays of the slide, the highest first: what is shown of each, and how. */
export function OverlaysPanel({ microscope, manifest }: PartProps) {
  const opened = useOverlays(microscope);
  const { overlays, list } = opened;
  const { failure, missing } = useStore(overlays.state);
  const editable = allows(manifest, "edit overlays");
  if (failure)
    return (
      <Alert color="red" title={t("overlays.notLoaded")} role="alert">
        <Text size="sm">{explain(failure)}</Text>
        <Button size="compact-sm" variant="default" mt="xs" onClick={() => void overlays.load()}>
          {t("common.tryAgain")}
        </Button>
      </Alert>
    );
  if (!list) return <Loader size="sm" aria-label={t("overlays.loading")} />;
  return (
    <Stack gap="md" data-testid="overlays-panel">
      {list.length === 0 && (
        <Text size="sm" c="dimmed">
          {editable ? t("overlays.none") : t("overlays.noneToSee")}
        </Text>
      )}
      {missing > 0 && (
        <Alert color="yellow" role="status">
          {t("overlays.missing", { count: missing })}
        </Alert>
      )}
      <SelectedObject microscope={microscope} manifest={manifest} interaction={opened.interaction} />
      {list.toReversed().map((entry) => (
        <OverlayCard
          key={entry.info.id}
          entry={entry}
          overlays={overlays}
          interaction={opened.interaction}
          editable={editable}
        />
      ))}
      {list.some(({ visible, info }) => visible && !info.raster) && (
        <RegionCount manifest={manifest} interaction={opened.interaction} />
      )}
    </Stack>
  );
}
