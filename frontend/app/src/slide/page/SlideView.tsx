import { type ReactNode, useMemo, useRef } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { useMay } from "../../accounts/account";
import { useQueryParameter } from "../../state/router";
import { useScheme } from "../../ui/useScheme";
import { Notices } from "../../microscope/Notices";
import { PictureField } from "../../microscope/PictureField";
import { PanelRail } from "../../microscope/panels/PanelRail";
import { SidePanel } from "../../microscope/panels/SidePanel";
import { StatusBar } from "./StatusBar";
import { TopBar } from "./TopBar";
import { firstCommands, firstPreviewCommands } from "./firstCommands";
import { useKeyboard } from "../../keyboard/keyboard";
import { LoadFailure } from "../../ui/later/Later";
import { laterCommands, laterParts, laterPreviewCommands, useLaterParts } from "./later";
import { firstOverlays } from "./firstOverlays";
import { panels } from "./panels";
import type { SlideContext } from "../../microscope/parts";
import { useMicroscope } from "../../microscope/useMicroscope";
import styles from "../../microscope/slide.module.css";

interface Props {
  readonly manifest: Manifest;
  readonly onReload: () => void;
  /** Laid over the picture. */
  readonly children?: ReactNode;
}

export function SlideView({ manifest, onReload, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { microscope, failure } = useMicroscope(container, manifest);
  const context = useSlideContext(microscope, manifest);
  const { parts, failed, again } = useLaterParts(microscope);
  const [first, later] = manifest.preview
    ? [firstPreviewCommands, laterPreviewCommands]
    : [firstCommands, laterCommands];
  const list = parts ? (manifest.preview ? parts.previewCommands : parts.commands) : first;
  useKeyboard(context, list, parts ? null : later);
  const strip = useQueryParameter("case") !== null;
  const shown = parts?.allPanels ?? panels;
  return (
    <div className={styles.page} data-testid="slide-page" data-ready={microscope !== null}>
      <TopBar manifest={manifest} microscope={microscope} items={parts && parts.topBarItems} />
      {parts && <parts.SessionBar />}
      <div className={styles.workspace}>
        <div className={styles.stage}>
          <PictureField container={container} title={manifest.title}>
            <Notices microscope={microscope} failure={failure} onReload={onReload} />
            {children}
            {failed && <LoadFailure again={again} />}
            {microscope &&
              firstOverlays.map((Overlay, i) => <Overlay key={i} microscope={microscope} manifest={manifest} />)}
            {microscope &&
              !manifest.preview &&
              parts?.overlays.map((Overlay, i) => <Overlay key={i} microscope={microscope} manifest={manifest} />)}
          </PictureField>
          {microscope && !manifest.preview && (
            <SidePanel panels={shown} leaveInnermost={leaveInnermost} microscope={microscope} manifest={manifest} />
          )}
        </div>
        {!manifest.preview && <PanelRail panels={shown} />}
      </div>
      {parts && <parts.ReplayBar />}
      {parts ? (
        <parts.CaseStrip slideId={manifest.id} />
      ) : (
        strip && <div className={styles.stripToCome} aria-busy="true" />
      )}
      {microscope ? <StatusBar microscope={microscope} /> : <footer className={styles.statusBar} />}
      {parts && <parts.HiddenControls />}
      {context && parts && <parts.KeyboardShortcuts context={context} list={list} />}
      {context && parts && <parts.CommandPalette context={context} list={list} />}
    </div>
  );
}

/** What commands act on, once the slide is open in the viewer; the same object while slide and user are the same. */
function useSlideContext(microscope: Microscope | null, manifest: Manifest): SlideContext | null {
  const { toggle } = useScheme();
  const mayHost = useMay("instructor");
  return useMemo(
    () => microscope && { microscope, manifest, container: microscope.viewer.element, mayHost, toggleScheme: toggle },
    [microscope, manifest, mayHost, toggle],
  );
}

/** Before the later parts are here, nothing is drawn or selected. */
function leaveInnermost(microscope: Microscope): boolean {
  return laterParts.loaded()?.leaveInnermost(microscope) ?? false;
}
