import { useEffect, useMemo, useRef } from "react";
import type { ExportedSlide } from "../../wire/files/open";
import type { Microscope } from "../../viewer/core/microscope";
import type { Manifest } from "../../wire/slides/manifest";
import { CommandPalette } from "../keyboard/CommandPalette";
import { KeyboardShortcuts } from "../keyboard/KeyboardShortcuts";
import { useKeyboard } from "../keyboard/keyboard";
import { Notices } from "../microscope/Notices";
import { PanelRail } from "../microscope/panels/PanelRail";
import { SidePanel } from "../microscope/panels/SidePanel";
import type { SlideContext } from "../microscope/parts";
import { useMicroscope } from "../microscope/useMicroscope";
import styles from "../microscope/slide.module.css";
import { leaveInnermost } from "../slide/annotate/commands";
import { StatusBar } from "../slide/page/StatusBar";
import { loadAhead } from "../ui/later/deferred";
import { useScheme } from "../ui/useScheme";
import { speakWithParent } from "./embedding";
import { ExportedBar } from "./ExportedBar";
import { commands, overlays, panels } from "./parts";
import { t } from "../../i18n/i18n";

interface Props {
  readonly slide: ExportedSlide;
  readonly open: (file: File | null) => void;
}

/** The microscope with what needs no service: it looks, measures and adjusts, and changes nothing. */
export function ExportedView({ slide: { manifest }, open }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { scope, failure } = useMicroscope(container, manifest);
  const context = useContextOf(scope, manifest);
  useKeyboard(context, commands);
  useEffect(() => void scope?.idle().then(loadAhead), [scope]);
  useEffect(() => (scope ? speakWithParent(scope) : undefined), [scope]);
  return (
    <div className={styles.page} data-testid="slide-page" data-ready={scope !== null}>
      <ExportedBar scope={scope} manifest={manifest} open={open} />
      <div className={styles.workspace}>
        <main className={styles.field}>
          <div
            ref={container}
            className={styles.viewer}
            tabIndex={0}
            role="application"
            aria-label={t("page.microscopeLabel", { title: manifest.title })}
            data-testid="viewer"
          />
          <Notices scope={scope} failure={failure} onReload={() => location.reload()} />
          {scope && overlays.map((Part, i) => <Part key={i} scope={scope} manifest={manifest} />)}
        </main>
        {scope && <SidePanel panels={panels} leaveInnermost={leaveInnermost} scope={scope} manifest={manifest} />}
        <PanelRail panels={panels} />
      </div>
      {scope ? <StatusBar scope={scope} /> : <footer className={styles.statusBar} />}
      {context && <KeyboardShortcuts context={context} list={commands} />}
      {context && <CommandPalette context={context} list={commands} />}
    </div>
  );
}

function useContextOf(scope: Microscope | null, manifest: Manifest): SlideContext | null {
  const { toggle } = useScheme();
  return useMemo(
    () => scope && { scope, manifest, container: scope.viewer.element, mayHost: false, toggleScheme: toggle },
    [scope, manifest, toggle],
  );
}
