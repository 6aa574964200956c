import { ActionIcon, Button, CloseButton, Paper, Text, Title } from "@mantine/core";
import { useReducedMotion } from "@mantine/hooks";
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { annotationsOf } from "@wavescope/viewer/annotate/annotations";
import type { View } from "@wavescope/viewer/view/view";
import { showFreeView } from "@wavescope/viewer/view/freeView";
import { explain } from "@wavescope/core/wire/http/explain";
import type { StoredTour } from "@wavescope/core/wire/catalog/toursClient";
import type { PartProps } from "../microscope/parts";
import { isMovedByOther } from "../session/state/useSession";
import { EditMarks } from "./EditMarks";
import { editingTour } from "./editingTour";
import { Marks } from "./Marks";
import { MarkdownText } from "../ui/MarkdownText";
import { goToStep, leaveTour, slideOf, useFollowed, useTour } from "../microscope/openTour";
import { viewOf } from "./view";
import styles from "./tours.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const PHONE = "(max-width: 700px)";

/** The tour that is followed: its card over the picture, the marks of the stop, and the move there. */
export function TourPlayer({ microscope, manifest }: PartProps) {
  return (
    <>
      <Played microscope={microscope} manifest={manifest} />
      <EditMarks microscope={microscope} manifest={manifest} />
    </>
  );
}

function Played({ microscope, manifest }: PartProps) {
  const { id, step } = useFollowed();
  const query = useTour(id);
  if (id === null) return null;
  if (query.data)
    return <Followed key={id} microscope={microscope} manifest={manifest} tour={query.data} step={step} />;
  return query.error ? (
    <Paper withBorder className={styles.player} role="status">
      <Text size="sm">{t("tours.notPlayed", { error: explain(query.error) })}</Text>
      <Button size="compact-sm" variant="default" mt="xs" onClick={() => leaveTour(manifest)}>
        {t("tours.closeTour")}
      </Button>
    </Paper>
  ) : null;
}

interface FollowedProps extends PartProps {
  readonly tour: StoredTour;
  readonly step: number;
}

function Followed({ microscope, manifest, tour, step }: FollowedProps) {
  const { waypoints, title, text } = tour.tour;
  const waypoint = waypoints.at(step);
  const view = waypoint && (slideOf(tour, waypoint) ?? manifest.id) === manifest.id ? viewOf(waypoint.view) : null;
  useMove(microscope, view, waypoint?.id);
  usePointed(microscope, view ? waypoint?.annotations : undefined);
  const first = step === 0;
  const edited = useStore(editingTour, (state) => state.change !== null && state.tour === tour.id);
  const [folded, setFolded] = useState(() => matchMedia(PHONE).matches); // else the text covers the field that it is about
  return (
    <>
      {waypoint && !edited && <Marks microscope={microscope} marks={waypoint.marks} />}
      <Paper
        withBorder
        shadow="md"
        className={styles.player}
        data-folded={folded}
        component="section"
        aria-label={t("tours.tourOf", { title })}
        data-testid="tour-player"
      >
        <div className={styles.playerHead}>
          <Text size="xs" c="dimmed" truncate flex={1}>
            {folded && waypoint?.title ? waypoint.title : title}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t(folded ? "tours.showText" : "tours.hideText")}
            aria-expanded={!folded}
            onClick={() => setFolded(!folded)}
          >
            {folded ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          </ActionIcon>
          <CloseButton size="sm" aria-label={t("tours.closeTour")} onClick={() => leaveTour(manifest)} />
        </div>
        <div className={styles.playerSteps}>
          <ActionIcon
            variant="default"
            size="lg"
            disabled={first}
            onClick={() => goToStep(tour, step - 1, manifest)}
            aria-label={t("tours.previousStop")}
          >
            <IconChevronLeft size={18} />
          </ActionIcon>
          <Text size="sm" role="status" data-testid="tour-step">
            {waypoints.length === 0 ? "0 / 0" : `${step + 1} / ${waypoints.length}`}
          </Text>
          <ActionIcon
            variant="filled"
            size="lg"
            disabled={step + 1 >= waypoints.length}
            onClick={() => goToStep(tour, step + 1, manifest)}
            aria-label={t("tours.nextStop")}
          >
            <IconChevronRight size={18} />
          </ActionIcon>
        </div>
        <div className={styles.playerBody} hidden={folded} tabIndex={0} role="region" aria-label={t("tours.textHere")}>
          {first && <MarkdownText text={text} />}
          {waypoint ? (
            <div aria-live="polite">
              <Title order={2} size="h5">
                {waypoint.title}
              </Title>
              <MarkdownText text={waypoint.text} />
            </div>
          ) : (
            <Text size="sm">{t("tours.noStops")}</Text>
          )}
        </div>
      </Paper>
    </>
  );
}

/** Points out the annotations of the stop, as long as it is the stop. */
function usePointed(microscope: PartProps["microscope"], annotations: readonly string[] | undefined): void {
  const key = annotations?.join(" ") ?? "";
  useEffect(() => {
    const { store } = annotationsOf(microscope);
    store.set({ pointed: key === "" ? [] : key.split(" ") });
    return () => store.set({ pointed: [] });
  }, [microscope, key]);
}

/** Moves the picture to the stop when it becomes another: by a flight, or at once with reduced motion. */
function useMove(microscope: PartProps["microscope"], view: View | null, stop: string | undefined): void {
  const still = useReducedMotion(false, { getInitialValueInEffect: false });
  useEffect(() => {
    if (view && !isMovedByOther()) showFreeView(microscope, view, still);
    // the view itself may be made anew while it is edited: only another stop is a reason to move
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [microscope, stop]);
}
