import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowsExchange, IconExternalLink, IconX } from "@tabler/icons-react";
import type { RefObject } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { paneName } from "@wavescope/viewer/compare/address";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import { type ComparisonState, isShown, startComparisonState } from "@wavescope/viewer/compare/comparisonState";
import { viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { readViewLink } from "@wavescope/viewer/view/view";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { caseQuery, navigate, slidePath } from "../state/router";
import { DescribedView } from "../microscope/description/DescribedView";
import { FidelityBadge } from "../microscope/FidelityBadge";
import { FocusSlider } from "../microscope/FocusSlider";
import { Notices } from "../microscope/Notices";
import { Overview } from "../microscope/Overview";
import { ViewControls } from "../microscope/ViewControls";
import { ScaleBar } from "../microscope/ScaleBar";
import { Turret } from "../microscope/navigation/Turret";
import controls from "../microscope/controls.module.css";
import slideStyles from "../microscope/slide.module.css";
import { changeSlide, removeSlide } from "./goCompare";
import { MappedAnnotations } from "./MappedAnnotations";
import { MappedPointers } from "./MappedPointers";
import { usePaneOverlays } from "./usePaneOverlays";
import { Pins } from "./Pins";
import { Residuals } from "./Residuals";
import styles from "./compare.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly pane: number;
  readonly container: RefObject<HTMLDivElement | null>;
  readonly manifest: Manifest;
  readonly comparison: Comparison | null;
  readonly failure: Error | null;
  readonly onReload: () => void;
}

/** One of several microscopes, with its own title, overview, focus and scale. */
export function ComparePane({ pane, container, manifest, comparison, failure, onReload }: Props) {
  const state = useStore(comparison?.state ?? startComparisonState);
  const microscope = comparison?.microscopes[pane];
  usePaneOverlays(microscope);
  const activate = (): void => comparison?.activate(pane);
  const name = paneName(pane);
  return (
    <section
      className={styles.pane}
      data-layer={layerOf(pane, state)}
      aria-label={t("compare.paneNamed", { pane: name, title: manifest.title })}
    >
      <div role="application" className={slideStyles.application}>
        <div
          ref={container}
          className={`${slideStyles.viewer} ${styles.viewer}`}
          style={upperStyle(pane, state)}
          tabIndex={0}
          role="application"
          aria-label={t("compare.microscope", { pane: name, title: manifest.title })}
          data-testid={`viewer-${name}`}
          onFocus={activate}
          onPointerDownCapture={activate}
        />
      </div>
      {microscope && comparison && (
        <div className={styles.over} data-active={state.active === pane}>
          <Head pane={pane} comparison={comparison} />
          {hasControls(pane, state, comparison) ? (
            <ViewControls microscope={microscope} manifest={manifest} />
          ) : (
            <OverviewAlone microscope={microscope} />
          )}
          <FocusSlider microscope={microscope} />
          <ScaleBar microscope={microscope} />
          <DescribedView microscope={microscope} />
          {hasControls(pane, state, comparison) && <Turret microscope={microscope} manifest={manifest} />}
        </div>
      )}
      {comparison && pane === 0 && <Residuals comparison={comparison} />}
      {comparison && <MappedAnnotations pane={pane} comparison={comparison} />}
      {comparison && <MappedPointers pane={pane} comparison={comparison} />}
      {comparison && <Pins pane={pane} comparison={comparison} />}
      <Notices microscope={microscope ?? null} failure={failure} onReload={onReload} />
    </section>
  );
}

/** Two slides side by side have buttons each; else one set of them is beside the slide that they move, or the upper one. */
function hasControls(pane: number, { mode, swiped, active }: ComparisonState, { microscopes }: Comparison): boolean {
  if (mode === "swipe") return pane === swiped[1];
  return microscopes.length === 2 || pane === active;
}

function OverviewAlone({ microscope }: { readonly microscope: Microscope }) {
  return (
    <div className={controls.right}>
      <Overview microscope={microscope} />
    </div>
  );
}

function layerOf(pane: number, state: ComparisonState): "side" | "lower" | "upper" | "hidden" {
  if (state.mode === "side") return "side";
  if (!isShown(state, pane)) return "hidden";
  return pane === state.swiped[0] ? "lower" : "upper";
}

/** While swiping, the upper slide is visible on one side of the divider only. */
function upperStyle(pane: number, state: ComparisonState): React.CSSProperties | undefined {
  if (layerOf(pane, state) !== "upper") return undefined;
  const { divider, blend, swapped } = state;
  const [left, right] = swapped ? [0, 1 - divider] : [divider, 0];
  return { clipPath: `inset(0 ${100 * right}% 0 ${100 * left}%)`, opacity: blend };
}

function Head({ pane, comparison }: { readonly pane: number; readonly comparison: Comparison }) {
  const microscope = comparison.microscopes[pane]!;
  const { id, title } = microscope.manifest;
  return (
    <div className={styles.head}>
      <span className={styles.letter} aria-hidden="true">
        {paneName(pane)}
      </span>
      <Tooltip label={t("compare.anotherHere")}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={styles.title}
          rightSection={<IconArrowsExchange size={14} />}
          onClick={() => changeSlide(comparison, pane)}
        >
          {title}
        </Button>
      </Tooltip>
      <FidelityBadge microscope={microscope} />
      <Tooltip label={t("compare.openAloneHere")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("compare.openAlone", { title })}
          onClick={() => navigate(slidePath(id) + viewLinkHash(readViewLink(microscope)), caseQuery())}
        >
          <IconExternalLink size={16} />
        </ActionIcon>
      </Tooltip>
      {comparison.microscopes.length > 2 && (
        <Tooltip label={t("compare.removeSlide", { pane: paneName(pane) })}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t("compare.removeSlide", { pane: paneName(pane) })}
            onClick={() => removeSlide(comparison, pane)}
          >
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </div>
  );
}
