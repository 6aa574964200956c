/** Ways to the page of two slides. */
import type { Microscope } from "../../viewer/core/microscope";
import { comparisonHash } from "../../viewer/compare/address";
import { readViewLink } from "../../viewer/view/view";
import { caseQuery, navigate } from "../state/router";
import { chooseSlide } from "./chooser";
import { t } from "../../i18n/i18n";

const START = { right: null, link: null, landmarks: [], divider: 0.5, blend: 1, swapped: false } as const;

export function compare(left: string, right: string): void {
  navigate("/compare", { ...caseQuery(), left, right });
}

/** Asks which slide to compare with the open one, whose view does not change. */
export function compareWith(scope: Microscope): void {
  const { id, title } = scope.manifest;
  const left = readViewLink(scope);
  chooseSlide(t("compare.compareWith", { title }), (right) =>
    navigate(`/compare${comparisonHash({ ...START, left })}`, { ...caseQuery(), left: id, right }),
  );
}
