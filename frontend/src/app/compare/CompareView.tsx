import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import type { Comparison } from "../../viewer/compare/comparison";
import type { Manifest } from "../../wire/slides/manifest";
import { CommandPalette } from "../keyboard/CommandPalette";
import { KeyboardShortcuts } from "../keyboard/KeyboardShortcuts";
import { useKeyboard } from "../keyboard/keyboard";
import type { SlideContext } from "../microscope/parts";
import { GoTo } from "../microscope/navigation/GoTo";
import slideStyles from "../microscope/slide.module.css";
import { ComparisonSession } from "./ComparisonSession";
import { useMay } from "../accounts/account";
import { useScheme } from "../ui/useScheme";
import { CompareBar } from "./CompareBar";
import { ComparePane } from "./ComparePane";
import { CompareStatus } from "./CompareStatus";
import { Divider } from "./Divider";
import { LandmarkPanel } from "./LandmarkPanel";
import { ReplayBar } from "../session/replay/ReplayBar";
import { SessionBar } from "../session/SessionBar";
import { SlideChooser } from "./SlideChooser";
import { comparisonCommands } from "./comparisonCommands";
import { useComparison } from "./useComparison";
import styles from "./compare.module.css";

interface Props {
  readonly left: Manifest;
  readonly right: Manifest;
  readonly onReload: () => void;
}

export function CompareView({ left, right, onReload }: Props) {
  const leftContainer = useRef<HTMLDivElement>(null);
  const rightContainer = useRef<HTMLDivElement>(null);
  const { comparison, failure } = useComparison({ left: leftContainer, right: rightContainer }, left, right);
  return (
    <div className={slideStyles.page} data-testid="compare-page" data-ready={comparison !== null}>
      <CompareBar comparison={comparison} />
      <SessionBar />
      <div className={slideStyles.workspace}>
        <main className={styles.panes}>
          <ComparePane
            side="left"
            container={leftContainer}
            manifest={left}
            comparison={comparison}
            failure={failure}
            onReload={onReload}
          />
          <ComparePane
            side="right"
            container={rightContainer}
            manifest={right}
            comparison={comparison}
            failure={null}
            onReload={onReload}
          />
          {comparison && <Divider comparison={comparison} />}
        </main>
        {comparison && <LandmarkPanel comparison={comparison} />}
      </div>
      <ReplayBar />
      {comparison ? <CompareStatus comparison={comparison} /> : <footer className={slideStyles.statusBar} />}
      {comparison && <ComparisonSession comparison={comparison} />}
      {comparison && <Keys comparison={comparison} />}
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
    const scope = comparison.scopes[active];
    return { scope, manifest: scope.manifest, container: scope.viewer.element, mayHost, toggleScheme: toggle };
  }, [comparison, active, mayHost, toggle]);
  useKeyboard(context, list);
  return (
    <>
      <KeyboardShortcuts context={context} list={list} />
      <CommandPalette context={context} list={list} />
      <GoTo scope={context.scope} manifest={context.manifest} />
    </>
  );
}
