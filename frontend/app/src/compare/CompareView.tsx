import { createRef, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Comparison } from "@wavescope/viewer/compare/comparison";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { CommandPalette } from "../keyboard/CommandPalette";
import { KeyboardShortcuts } from "../keyboard/KeyboardShortcuts";
import { useKeyboard } from "../keyboard/keyboard";
import type { SlideContext } from "../microscope/parts";
import { GoTo } from "../microscope/navigation/GoTo";
import slideStyles from "../microscope/slide.module.css";
import { useMay } from "../accounts/account";
import { useScheme } from "../ui/useScheme";
import { AlignmentPanel } from "./AlignmentPanel";
import { CompareBar } from "./CompareBar";
import { ComparePane } from "./ComparePane";
import { Divider } from "./Divider";
import { LandmarkPanel } from "./LandmarkPanel";
import { ReplayBar } from "../session/replay/ReplayBar";
import { SessionBar } from "../session/SessionBar";
import { SlideChooser } from "./SlideChooser";
import { comparisonCommands } from "./comparisonCommands";
import { ReceiptDialog } from "../receipt/ReceiptDialog";
import { later } from "../ui/later/Later";
import { useComparison } from "./useComparison";
import styles from "./compare.module.css";
import { Text } from "@mantine/core";
import { linksLabel } from "@wavescope/viewer/compare/labels";
import { bytesLabel } from "../ui/format";
import { t } from "@wavescope/core/i18n/i18n";
import { live } from "../session/state/live";
import { LaterPollDots } from "../session/panel/LaterPollDots";
import { ComparisonBinding } from "./comparisonBinding";

const ReceiptOfComparison = later(async () => (await import("./ReceiptOfComparison")).ReceiptOfComparison);

interface Props {
  readonly slides: readonly Manifest[];
  readonly onReload: () => void;
}

export function CompareView({ slides, onReload }: Props) {
  const [opened] = useState(slides); // the same versions, as long as this is shown
  const [containers] = useState(() => opened.map(() => createRef<HTMLDivElement>()));
  const { comparison, failure } = useComparison(containers, opened);
  return (
    <div className={slideStyles.page} data-testid="compare-page" data-ready={comparison !== null}>
      <CompareBar comparison={comparison} />
      <SessionBar />
      <div className={slideStyles.workspace}>
        <main className={styles.panes} data-panes={slides.length}>
          {slides.map((manifest, pane) => (
            <ComparePane
              key={pane}
              pane={pane}
              container={containers[pane]!}
              manifest={manifest}
              comparison={comparison}
              failure={pane === 0 ? failure : null}
              onReload={onReload}
            />
          ))}
          {comparison && <Divider comparison={comparison} />}
        </main>
        {comparison && <LandmarkPanel comparison={comparison} />}
        {comparison && <AlignmentPanel comparison={comparison} />}
      </div>
      <ReplayBar />
      {comparison ? <CompareStatus comparison={comparison} /> : <footer className={slideStyles.statusBar} />}
      {comparison && <ComparisonSession comparison={comparison} />}
      {comparison && <Keys comparison={comparison} />}
      {comparison && (
        <ReceiptDialog>
          <ReceiptOfComparison comparison={comparison} />
        </ReceiptDialog>
      )}
      <SlideChooser />
    </div>
  );
}

/** Keys go to the slide that was touched last. */
function Keys({ comparison }: { readonly comparison: Comparison }) {
  const active = useStore(comparison.state, (state) => state.active);
  const { toggle } = useScheme();
  const mayHost = useMay("instructor");
  const list = useMemo(() => comparisonCommands(comparison), [comparison]);
  const context = useMemo((): SlideContext => {
    const microscope = comparison.microscopes[active]!;
    return {
      microscope,
      manifest: microscope.manifest,
      container: microscope.viewer.element,
      mayHost,
      toggleScheme: toggle,
    };
  }, [comparison, active, mayHost, toggle]);
  useKeyboard(context, list);
  return (
    <>
      <KeyboardShortcuts context={context} list={list} />
      <CommandPalette context={context} list={list} />
      <GoTo microscope={context.microscope} manifest={context.manifest} />
    </>
  );
}

/** One line for all: how they are linked, and what was fetched. */
function CompareStatus({ comparison }: { readonly comparison: Comparison }) {
  const links = useStore(comparison.state, (state) => state.links);
  const slides = comparison.microscopes.map(({ manifest }) => manifest);
  return (
    <footer className={slideStyles.statusBar}>
      <Text size="xs" role="status" data-testid="link-status" truncate>
        {links ? linksLabel(links, slides) : t("compare.notLinked")}
      </Text>
      <Text size="xs" c="dimmed" ms="auto" style={{ whiteSpace: "nowrap" }} data-testid="comparison-traffic">
        {t("common.bytesFetched", { bytes: bytesLabel(useBytes(comparison.microscopes)) })}
      </Text>
    </footer>
  );
}

/** What all of them have fetched. */
function useBytes(microscopes: readonly Microscope[]): number {
  const [subscribe] = useState(() => (listener: () => void) => {
    const stops = microscopes.map(({ state }) => state.subscribe(listener));
    return () => stops.forEach((stop) => stop());
  });
  return useSyncExternalStore(subscribe, () => microscopes.reduce((sum, { state }) => sum + state.getState().bytes, 0));
}

/** Binds the slides to the session, side by side or one over the other for all members. */
function ComparisonSession({ comparison }: { readonly comparison: Comparison }) {
  const here = useStore(live, (state) => state.live);
  useEffect(() => {
    if (!here) return;
    const binding = new ComparisonBinding(comparison, here);
    return () => binding.close();
  }, [comparison, here]);
  return comparison.microscopes.map((one, pane) => <LaterPollDots key={pane} microscope={one} />);
}
