import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowsExchange, IconExternalLink } from "@tabler/icons-react";
import type { RefObject } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import {
  type ComparisonState,
  type Side,
  otherSide,
  startComparisonState,
} from "@wavescope/viewer/compare/comparisonState";
import { viewLinkHash } from "@wavescope/viewer/core/viewLink";
import { readViewLink } from "@wavescope/viewer/view/view";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { caseQuery, navigate, slidePath } from "../state/router";
import { FidelityBadge } from "../microscope/FidelityBadge";
import { FocusSlider } from "../microscope/FocusSlider";
import { Notices } from "../microscope/Notices";
import { Overview } from "../microscope/Overview";
import { ViewControls } from "../microscope/ViewControls";
import { ScaleBar } from "../microscope/ScaleBar";
import { Turret } from "../microscope/navigation/Turret";
import controls from "../microscope/controls.module.css";
import slideStyles from "../microscope/slide.module.css";
import { chooseSlide } from "./chooser";
import { compare } from "./goCompare";
import { MappedAnnotations } from "./MappedAnnotations";
import { OtherPointer } from "./OtherPointer";
import { Pins } from "./Pins";
import { Residuals } from "./Residuals";
import styles from "./compare.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly side: Side;
  readonly container: RefObject<HTMLDivElement | null>;
  readonly manifest: Manifest;
  readonly comparison: Comparison | null;
  readonly failure: Error | null;
  readonly onReload: () => void;
}

/** One of two microscopes, with its own title, overview, focus and scale. */
export function ComparePane({ side, container, manifest, comparison, failure, onReload }: Props) {
  const state = useStore(comparison?.state ?? startComparisonState);
  const microscope = comparison?.microscopes[side] ?? null;
  const activate = (): void => comparison?.activate(side);
  return (
    <section
      className={styles.pane}
      data-side={side}
      data-mode={state.mode}
      aria-label={t(side === "left" ? "compare.leftNamed" : "compare.rightNamed", { title: manifest.title })}
    >
      <div
        ref={container}
        className={`${slideStyles.viewer} ${styles.viewer}`}
        style={side === "right" ? upperStyle(state) : undefined}
        tabIndex={0}
        role="application"
        aria-label={t(side === "left" ? "compare.leftMicroscope" : "compare.rightMicroscope", {
          title: manifest.title,
        })}
        data-testid={`viewer-${side}`}
        onFocus={activate}
        onPointerDownCapture={activate}
      />
      {microscope && comparison && (
        <div className={styles.over} data-active={state.active === side}>
          <Head side={side} comparison={comparison} />
          {state.mode === "side" || side === "right" ? (
            <ViewControls microscope={microscope} manifest={manifest} />
          ) : (
            <OverviewAlone microscope={microscope} />
          )}
          <FocusSlider microscope={microscope} />
          <ScaleBar microscope={microscope} />
          {(state.mode === "side" || side === "right") && <Turret microscope={microscope} manifest={manifest} />}
        </div>
      )}
      {comparison && side === "left" && <Residuals comparison={comparison} />}
      {comparison && <MappedAnnotations side={side} comparison={comparison} />}
      {comparison && <OtherPointer side={side} comparison={comparison} />}
      {comparison && <Pins side={side} comparison={comparison} />}
      <Notices microscope={microscope} failure={failure} onReload={onReload} />
    </section>
  );
}

/** While swiping, one set of buttons moves both. */
function OverviewAlone({ microscope }: { readonly microscope: Microscope }) {
  return (
    <div className={controls.right}>
      <Overview microscope={microscope} />
    </div>
  );
}

/** While swiping, the right slide lies over the left one and is visible on one side of the divider only. */
function upperStyle({ mode, divider, blend, swapped }: ComparisonState): React.CSSProperties | undefined {
  if (mode === "side") return undefined;
  const [left, right] = swapped ? [0, 1 - divider] : [divider, 0];
  return { clipPath: `inset(0 ${100 * right}% 0 ${100 * left}%)`, opacity: blend };
}

function Head({ side, comparison }: { readonly side: Side; readonly comparison: Comparison }) {
  const microscope = comparison.microscopes[side];
  const other = comparison.microscopes[otherSide(side)].manifest.id;
  const { id, title } = microscope.manifest;
  const change = (): void =>
    chooseSlide(t(side === "left" ? "compare.showOnLeft" : "compare.showOnRight"), (chosen) =>
      side === "left" ? compare(chosen, other) : compare(other, chosen),
    );
  return (
    <div className={styles.head}>
      <span className={styles.letter} aria-hidden="true">
        {side === "left" ? "A" : "B"}
      </span>
      <Tooltip label={t("compare.anotherHere")}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          className={styles.title}
          rightSection={<IconArrowsExchange size={14} />}
          onClick={change}
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
    </div>
  );
}
