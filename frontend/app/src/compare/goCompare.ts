/** Ways to the page of two slides. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { comparisonHash } from "@wavescope/viewer/compare/address";
import { readViewLink } from "@wavescope/viewer/view/view";
import { caseQuery, navigate } from "../state/router";
import { chooseSlide } from "./chooser";
import { t } from "@wavescope/core/i18n/i18n";

const START = { right: null, link: null, landmarks: [], divider: 0.5, blend: 1, swapped: false } as const;

export function compare(left: string, right: string): void {
  navigate("/compare", { ...caseQuery(), left, right });
}

/** Asks which slide to compare with the open one, whose view does not change. */
export function compareWith(microscope: Microscope): void {
  const { id, title } = microscope.manifest;
  const left = readViewLink(microscope);
  chooseSlide(t("compare.compareWith", { title }), (right) =>
    navigate(`/compare${comparisonHash({ ...START, left })}`, { ...caseQuery(), left: id, right }),
  );
}
