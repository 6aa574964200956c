/** Ways to the page of several slides, and from one arrangement of them to another. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import {
  type ComparisonAddress,
  comparisonHash,
  emptyAddress,
  paneName,
  withOtherSlide,
  withPane,
  withoutPane,
} from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { readViewLink } from "@wavescope/viewer/view/view";
import { caseQuery, navigate } from "../state/router";
import { chooseSlide } from "./chooser";
import { t } from "@wavescope/core/i18n/i18n";

export function compare(slides: readonly string[], address = emptyAddress(slides.length)): void {
  const mode = address.mode === "swipe" ? { mode: address.mode } : {};
  navigate("/compare", { ...caseQuery(), slide: slides, ...mode }, { hash: comparisonHash(address) });
}

/** Asks which slide to compare with the open one, whose view does not change. */
export function compareWith(microscope: Microscope): void {
  const { id, title } = microscope.manifest;
  const address: ComparisonAddress = { ...emptyAddress(2), views: [readViewLink(microscope), null] };
  chooseSlide(t("compare.compareWith", { title }), (other) => compare([id, other], address));
}

/** Asks for one more slide; those that are there stay as they lie. */
export function addSlide(comparison: Comparison): void {
  chooseSlide(t("compare.addSlide"), (id) => compare([...idsOf(comparison), id], withPane(comparison.address())));
}

/** Asks for another slide in a pane. */
export function changeSlide(comparison: Comparison, pane: number): void {
  chooseSlide(t("compare.showIn", { pane: paneName(pane) }), (id) =>
    compare(idsOf(comparison).with(pane, id), withOtherSlide(comparison.address(), pane)),
  );
}

export function removeSlide(comparison: Comparison, pane: number): void {
  compare(idsOf(comparison).toSpliced(pane, 1), withoutPane(comparison.address(), pane));
}

const idsOf = ({ microscopes }: Comparison): string[] => microscopes.map(({ manifest }) => manifest.id);
