/** The coverage of the open slide: kept in this browser, and the way through its tissue. */
import { noteReviewed, readSeen, slidesReviewed, writeSeen } from "@wavescope/core/wire/stored/seenStore";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf, coverageText, readCoverage, showsWhole } from "@wavescope/viewer/navigation/coverage";
import { freeField } from "@wavescope/viewer/navigation/freePart";
import { centreOn } from "@wavescope/viewer/navigation/moves";
import { magnificationLabel } from "@wavescope/viewer/navigation/objectives";
import { objectiveReached, seenMap } from "@wavescope/viewer/navigation/seenViews";
import { type FieldShape, type SlidePlace, nextUnseen, stopBefore } from "@wavescope/viewer/navigation/serpentine";
import { type TissueMask, tissueOf } from "@wavescope/viewer/navigation/tissue";
import { t } from "@wavescope/core/i18n/i18n";
import { notify, notifyFailure, notifyWithUndo } from "../../ui/notice";
import { jump } from "../browserHistory";
import { storeWithAccount } from "./accountCoverage";
import { objectivesOf } from "../navigation/objective";

/** Where the magnification is not known: parts of the full resolution. */
const PARTS = [16, 8, 4, 2, 1];

export interface CoverageObjective {
  readonly label: string;
  /** Device pixels per level-0 pixel. */
  readonly scale: number;
}

/** What coverage is counted for: the slide's objectives, ascending. */
export function coverageObjectives(microscope: Microscope): readonly CoverageObjective[] {
  const known = objectivesOf(microscope).filter(({ beyond }) => !beyond);
  if (known.length > 0)
    return known.map(({ magnification, scale }) => ({ label: magnificationLabel(magnification), scale }));
  return PARTS.map((part) => ({ label: `1:${part}`, scale: 1 / part }));
}

export function toggleCoverage(microscope: Microscope): void {
  coverageOf(microscope).setState(({ shown }) => ({ shown: !shown }));
}

export function clearCoverage(microscope: Microscope): void {
  const store = coverageOf(microscope);
  const { views, at, reviewed } = store.getState();
  store.setState({ views: [], at: null, reviewed: null });
  if (views.length > 0) notifyWithUndo(t("coverage.cleared"), () => store.setState({ views, at, reviewed }));
}

/** Marks the slide as reviewed now, or no longer. */
export function toggleReviewed(microscope: Microscope): void {
  const store = coverageOf(microscope);
  const { reviewed } = store.getState();
  store.setState({ reviewed: reviewed === null ? Math.floor(Date.now() / 1000) : null });
  const text = t(reviewed === null ? "coverage.reviewed" : "coverage.notReviewed");
  notifyWithUndo(text, () => store.setState({ reviewed }));
}

/** Takes up what this browser knows of the slide, and keeps what is added, until what it gives is called. */
export function keepCoverage(microscope: Microscope): () => void {
  const store = coverageOf(microscope);
  const { id } = microscope.manifest;
  const kept = readCoverage(readSeen(id));
  store.setState(({ views, at }) => ({
    views: [...kept.views, ...views],
    at: at ?? kept.at,
    reviewed: slidesReviewed()[id] ?? null,
  }));
  const stopStoring = storeWithAccount(microscope);
  const stop = store.subscribe((now, before) => {
    if (now.reviewed !== before.reviewed) noteReviewed(id, now.reviewed);
    if (now.views === before.views && now.at === before.at) return;
    writeSeen(id, now.views.length > 0 ? coverageText(now) : null);
  });
  return () => {
    stopStoring();
    stop();
  };
}

/** To the next field with tissue that was not seen at this magnification, or back to the one before. */
export async function stepThroughTissue(microscope: Microscope, step: 1 | -1): Promise<void> {
  const { region, scale } = microscope.reading(false);
  const rotation = microscope.viewer.viewport.getRotation(false);
  if (showsWhole(microscope.pyramid, region, rotation)) return notify(t("coverage.zoomInFirst"));
  let mask: TissueMask;
  try {
    mask = await tissueOf(microscope);
  } catch {
    return notifyFailure(t("coverage.noTissue"), t("coverage.noTissueHint"));
  }
  const store = coverageOf(microscope);
  const field = { ...freeField(microscope, region, rotation), rotation };
  const place = step > 0 ? nextPlace(microscope, mask, field, scale) : previousPlace(microscope, mask, field);
  if (!place) return notify(t(step > 0 ? "coverage.allSeen" : "coverage.atBeginning"));
  store.setState({ at: place });
  jump(microscope, () => centreOn(microscope, place.l0_x, place.l0_y));
}

function nextPlace(microscope: Microscope, mask: TissueMask, field: FieldShape, scale: number): SlidePlace | null {
  const { views, at } = coverageOf(microscope).getState();
  const scales = coverageObjectives(microscope).map((objective) => objective.scale);
  const seen = seenMap(mask, views, scales);
  return nextUnseen(mask, seen, Math.max(0, objectiveReached(scales, scale)), field, at);
}

function previousPlace(microscope: Microscope, mask: TissueMask, field: FieldShape): SlidePlace | null {
  const { at } = coverageOf(microscope).getState();
  return at && stopBefore(mask, field, at);
}
