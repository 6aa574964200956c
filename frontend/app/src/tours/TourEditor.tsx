import { Alert, Button, Group, Loader, Stack, Text, TextInput, Textarea } from "@mantine/core";
import { IconArrowLeft, IconCameraPlus, IconDownload, IconPlayerPlay } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { readFreeView } from "@wavescope/viewer/view/freeView";
import { explain } from "@wavescope/core/wire/http/explain";
import { type StoredTour, deleteTour, tourFile, readTour, saveTour } from "@wavescope/core/wire/catalog/toursClient";
import { queryClient } from "../state/queries";
import { tourPath } from "../state/router";
import { ConfirmButton } from "../ui/ConfirmButton";
import { CopyLinkButton } from "../ui/CopyLinkButton";
import type { PartProps } from "../microscope/parts";
import { WaypointForm } from "./WaypointForm";
import { type SaveState, TourSaver } from "./saver";
import { withView } from "./editing";
import { editingTour, workOnStop } from "./editingTour";
import { goToStep, cachedTour, useTour, draftTour, cacheTour } from "../microscope/openTour";
import { t } from "@wavescope/core/i18n/i18n";
import { useStore } from "zustand";

interface Props extends PartProps {
  readonly id: string;
  readonly onClose: () => void;
}

export function TourEditor(props: Props) {
  const query = useTour(props.id);
  if (query.data) return <Editor {...props} stored={query.data} />;
  return query.error ? (
    <Alert color="red">{explain(query.error)}</Alert>
  ) : (
    <Loader size="sm" aria-label={t("tours.loadingTour")} />
  );
}

const SAVING: Readonly<Record<SaveState, string>> = {
  saved: t("common.saved"),
  saving: t("tours.saving"),
  waiting: t("tours.notSavedYet"),
  conflict: t("tours.changedElsewhere"),
  failed: t("common.notSaved"),
};

function Editor({ microscope, manifest, stored, onClose }: Props & { readonly stored: StoredTour }) {
  const { tour, state, failure, change, loadStored } = useTourSaver(stored);
  const remove = useMutation({
    mutationFn: () => deleteTour(stored.id, cachedTour(stored.id)?.revision ?? stored.revision),
    onSuccess: () => {
      onClose();
      return queryClient.invalidateQueries({ queryKey: ["tours"] });
    },
  });
  useEffect(() => {
    editingTour.setState({ change });
    return () => editingTour.setState({ change: null, placing: null });
  }, [change]);
  const slide = stored.slideId === manifest.id ? null : manifest.id;
  return (
    <Stack gap="sm" data-testid="tour-editor">
      <Group justify="space-between" wrap="nowrap">
        <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={14} />} onClick={onClose}>
          {t("tours.allTours")}
        </Button>
        <Text size="xs" c="dimmed" role="status" data-testid="tour-saved" data-state={state}>
          {SAVING[state]}
        </Text>
      </Group>
      {state === "conflict" && (
        <Alert color="yellow" title={t("tours.changedByOther")}>
          {t("tours.changesNotSaved")}{" "}
          <Button size="compact-xs" variant="default" onClick={() => void loadStored()}>
            {t("tours.loadNewest")}
          </Button>
        </Alert>
      )}
      {state === "failed" && <Alert color="red">{explain(failure)}</Alert>}
      <TextInput
        label={t("common.title")}
        value={tour.title}
        maxLength={200}
        error={tour.title.trim() ? undefined : t("tours.titleNeeded")}
        onChange={({ currentTarget: { value } }) => change((old) => ({ ...old, title: value }))}
      />
      <Textarea
        label={t("tours.introduction")}
        description={t("tours.markdown")}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={20_000}
        value={tour.text}
        onChange={({ currentTarget: { value } }) => change((old) => ({ ...old, text: value }))}
      />
      {tour.waypoints.map((waypoint, index) => (
        <WaypointForm
          key={waypoint.id}
          microscope={microscope}
          waypoint={waypoint}
          index={index}
          last={tour.waypoints.length - 1}
          here={(waypoint.slide ?? stored.slideId ?? manifest.id) === manifest.id}
          change={change}
          onGo={() => goToStep(stored, index, manifest)}
        />
      ))}
      <Button
        leftSection={<IconCameraPlus size={16} />}
        onClick={() => {
          change((old) => withView(old, readFreeView(microscope), slide));
          const added = cachedTour(stored.id)?.tour.waypoints.at(-1);
          if (added) workOnStop(added.id);
        }}
      >
        {t("tours.addThisView")}
      </Button>
      <Group gap="xs">
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          onClick={() => goToStep(stored, 0, manifest)}
        >
          {t("tours.play")}
        </Button>
        <CopyLinkButton link={location.origin + tourPath(stored.id)} />
        <Button
          size="compact-sm"
          variant="default"
          component="a"
          href={tourFile(stored.id)}
          download
          leftSection={<IconDownload size={14} />}
        >
          {t("tours.export")}
        </Button>
        <ConfirmButton
          label={t("common.delete")}
          confirmLabel={t("tours.deleteTour")}
          loading={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </Group>
      {remove.error && <Alert color="red">{explain(remove.error)}</Alert>}
    </Stack>
  );
}

/** An edited tour and how its saving stands; what was typed last is saved when the editor is left. */
function useTourSaver(stored: StoredTour) {
  const [saver] = useState(() => new TourSaver(stored, { readTour, saveTour, cached: cacheTour, drafted: draftTour }));
  const edited = useStore(saver.edited);
  useEffect(() => () => void saver.save(), [saver]);
  return { ...edited, change: saver.change, loadStored: saver.loadStored };
}
