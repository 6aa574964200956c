import { ActionIcon, Alert, Button, Group, Loader, Stack, Text, Tooltip } from "@mantine/core";
import { IconPencil, IconPlayerPlay, IconPlus, IconUpload } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import { explain } from "@wavescope/core/wire/http/explain";
import { allows } from "@wavescope/core/wire/slides/manifest";
import {
  type Tour,
  type TourOwner,
  createTour,
  listTours,
  readTour,
  readTourFile,
} from "@wavescope/core/wire/catalog/toursClient";
import { useMay } from "../accounts/account";
import { useQueryParameter } from "../state/router";
import type { PartProps } from "../microscope/parts";
import { TourEditor } from "./TourEditor";
import { EMPTY_TOUR } from "./editing";
import { editTour, editingTour, endEditing } from "./editingTour";
import { goToStep, cachedTour, cacheTour } from "../microscope/openTour";
import { isOpen, quizState } from "../quizzes/quizState";
import { later } from "../ui/later/Later";
import { FileChooser } from "../ui/FileChooser";
import { t } from "@wavescope/core/i18n/i18n";

const Quizzes = later<PartProps>(async () => (await import("../quizzes/QuizList")).Quizzes);

/** The tours and quizzes of this slide, or of the case it is looked at in: to be followed, made and changed. */
export function ToursPanel(props: PartProps) {
  const { tour, owner } = useStore(editingTour);
  const quizIsOpen = useStore(quizState, isOpen);
  const played = useQueryParameter("tour");
  const here = useQueryParameter("case") ?? props.manifest.id;
  if (tour !== null && (owner === here || played === tour))
    // also at a stop on another slide
    return <TourEditor key={tour} {...props} id={tour} onClose={endEditing} />;
  if (quizIsOpen) return <Quizzes {...props} />;
  return (
    <Stack gap="lg">
      <TourList {...props} onEdit={(id) => editTour(id, here)} />
      <Quizzes {...props} />
    </Stack>
  );
}

function TourList({ manifest, onEdit }: PartProps & { readonly onEdit: (id: string) => void }) {
  const caseId = useQueryParameter("case");
  const annotator = useMay("annotator");
  const mayEdit = annotator && (caseId !== null || allows(manifest, "edit tours")); // the service decides on a case's
  const owner: TourOwner = caseId === null ? { slide: manifest.id } : { case: caseId };
  const tours = useQuery({ queryKey: ["tours", owner], queryFn: ({ signal }) => listTours(owner, signal) });
  const create = useMutation({
    mutationFn: async (tour: Tour | File) =>
      createTour(owner, tour instanceof File ? readTourFile(await tour.text()) : tour),
    onSuccess: (created) => {
      cacheTour(created);
      onEdit(created.id);
    },
  });
  const open = async (id: string): Promise<void> => {
    if (!cachedTour(id)) cacheTour(await readTour(id));
    goToStep(cachedTour(id)!, 0, manifest);
  };
  return (
    <Stack gap="sm">
      {tours.isPending && <Loader size="sm" aria-label={t("tours.loadingTours")} />}
      {tours.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t(caseId === null ? "tours.noneForSlide" : "tours.noneForCase")}
        </Text>
      )}
      {tours.data?.map(({ id, title, waypoints }) => (
        <Group key={id} gap={6} wrap="nowrap" data-testid="tour">
          <Stack gap={0} flex={1} miw={0}>
            <Text size="sm" fw={500} truncate>
              {title}
            </Text>
            <Text size="xs" c="dimmed">
              {t("tours.stops", { count: waypoints })}
            </Text>
          </Stack>
          <Tooltip label={t("tours.play")}>
            <ActionIcon onClick={() => void open(id)} aria-label={t("tours.playTour", { title })}>
              <IconPlayerPlay size={16} />
            </ActionIcon>
          </Tooltip>
          {mayEdit && (
            <Tooltip label={t("tours.edit")}>
              <ActionIcon variant="default" onClick={() => onEdit(id)} aria-label={t("tours.editTour", { title })}>
                <IconPencil size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      ))}
      {(tours.error ?? create.error) && <Alert color="red">{explain(tours.error ?? create.error)}</Alert>}
      {mayEdit && (
        <Group gap="xs">
          <Button
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            loading={create.isPending}
            onClick={() => create.mutate(EMPTY_TOUR)}
          >
            {t("tours.newTour")}
          </Button>
          <FileChooser accept="application/json,.json" onChoose={(file) => create.mutate(file)}>
            {(button) => (
              <Button {...button} size="compact-sm" variant="default" leftSection={<IconUpload size={14} />}>
                {t("tours.import")}
              </Button>
            )}
          </FileChooser>
        </Group>
      )}
    </Stack>
  );
}
