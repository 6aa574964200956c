import { useMemo, useRef } from "react";
import { useStore } from "zustand";
import type { Pair } from "../../viewer/compare/comparison";
import type { Manifest } from "../../wire/slides/manifest";
import { CommandPalette } from "../keyboard/CommandPalette";
import { KeyboardShortcuts } from "../keyboard/KeyboardShortcuts";
import { useKeyboard } from "../keyboard/keyboard";
import type { SlideContext } from "../microscope/parts";
import { GoTo } from "../microscope/navigation/GoTo";
import slideStyles from "../microscope/slide.module.css";
import { PairSession } from "./ComparisonSession";
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
import { pairCommands } from "./comparisonCommands";
import { usePair } from "./useComparison";
import styles from "./compare.module.css";

interface Props {
  readonly left: Manifest;
  readonly right: Manifest;
  readonly onReload: () => void;
}

export function CompareView({ left, right, onReload }: Props) {
  const leftContainer = useRef<HTMLDivElement>(null);
  const rightContainer = useRef<HTMLDivElement>(null);
  const { pair, failure } = usePair({ left: leftContainer, right: rightContainer }, left, right);
  return (
    <div className={slideStyles.page} data-testid="compare-page" data-ready={pair !== null}>
      <CompareBar pair={pair} />
      <SessionBar />
      <div className={slideStyles.workspace}>
        <main className={styles.panes}>
          <ComparePane
            side="left"
            container={leftContainer}
            manifest={left}
            pair={pair}
            failure={failure}
            onReload={onReload}
          />
          <ComparePane
            side="right"
            container={rightContainer}
            manifest={right}
            pair={pair}
            failure={null}
            onReload={onReload}
          />
          {pair && <Divider pair={pair} />}
        </main>
        {pair && <LandmarkPanel pair={pair} />}
      </div>
      <ReplayBar />
      {pair ? <CompareStatus pair={pair} /> : <footer className={slideStyles.statusBar} />}
      {pair && <PairSession pair={pair} />}
      {pair && <Keys pair={pair} />}
      <SlideChooser />
    </div>
  );
}

/** Keys go to the slide that was touched last. */
function Keys({ pair }: { readonly pair: Pair }) {
  const active = useStore(pair.state, (state) => state.active);
  const { toggle } = useScheme();
  const mayHost = useMay("instructor");
  const list = useMemo(() => pairCommands(pair), [pair]);
  const context = useMemo((): SlideContext => {
    const scope = pair.scopes[active];
    return { scope, manifest: scope.manifest, container: scope.viewer.element, mayHost, toggleScheme: toggle };
  }, [pair, active, mayHost, toggle]);
  useKeyboard(context, list);
  return (
    <>
      <KeyboardShortcuts context={context} list={list} />
      <CommandPalette context={context} list={list} />
      <GoTo scope={context.scope} manifest={context.manifest} />
    </>
  );
}
