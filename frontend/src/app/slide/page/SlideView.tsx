import { type ReactNode, useMemo, useRef } from "react";
import type { Microscope } from "../../../viewer/core/microscope";
import type { Manifest } from "../../../wire/slides/manifest";
import { useMay } from "../../accounts/account";
import { useScheme } from "../../ui/useScheme";
import { CaseStrip } from "../../cases/CaseStrip";
import { CommandPalette } from "../../keyboard/CommandPalette";
import { KeyboardShortcuts } from "../../keyboard/KeyboardShortcuts";
import { Notices } from "../../microscope/Notices";
import { PanelRail } from "./PanelRail";
import { SidePanel } from "./SidePanel";
import { StatusBar } from "./StatusBar";
import { TopBar } from "./TopBar";
import { commands, previewCommands } from "./commands";
import { useKeyboard } from "../../keyboard/keyboard";
import { ReplayBar } from "../../session/replay/ReplayBar";
import { SessionBar } from "../../session/SessionBar";
import { overlays, previewOverlays } from "./overlays";
import type { SlideContext } from "../../microscope/parts";
import { useMicroscope } from "../../microscope/useMicroscope";
import styles from "../../microscope/slide.module.css";
import { t } from "../../../i18n/i18n";

interface Props {
  readonly manifest: Manifest;
  readonly onReload: () => void;
  /** Laid over the picture. */
  readonly children?: ReactNode;
}

export function SlideView({ manifest, onReload, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { scope, failure } = useMicroscope(container, manifest);
  const context = useSlideContext(scope, manifest);
  const list = manifest.preview ? previewCommands : commands;
  useKeyboard(context, list);
  return (
    <div className={styles.page} data-testid="slide-page" data-ready={scope !== null}>
      <TopBar manifest={manifest} scope={scope} />
      <SessionBar />
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
          <Notices scope={scope} failure={failure} onReload={onReload} />
          {children}
          {scope &&
            (manifest.preview ? previewOverlays : overlays).map((Overlay, i) => (
              <Overlay key={i} scope={scope} manifest={manifest} />
            ))}
        </main>
        {scope && !manifest.preview && <SidePanel scope={scope} manifest={manifest} />}
        {!manifest.preview && <PanelRail />}
      </div>
      <ReplayBar />
      <CaseStrip slideId={manifest.id} />
      {scope ? <StatusBar scope={scope} /> : <footer className={styles.statusBar} />}
      {context && <KeyboardShortcuts context={context} list={list} />}
      {context && <CommandPalette context={context} list={list} />}
    </div>
  );
}

/** What commands act on, once the slide is open in the viewer; the same object while slide and user are the same. */
function useSlideContext(scope: Microscope | null, manifest: Manifest): SlideContext | null {
  const { toggle } = useScheme();
  const mayHost = useMay("instructor");
  return useMemo(
    () => scope && { scope, manifest, container: scope.viewer.element, mayHost, toggleScheme: toggle },
    [scope, manifest, mayHost, toggle],
  );
}
