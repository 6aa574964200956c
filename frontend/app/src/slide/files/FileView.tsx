import { type ReactNode, useEffect, useMemo, useRef } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { CommandPalette } from "../../keyboard/CommandPalette";
import { KeyboardShortcuts } from "../../keyboard/KeyboardShortcuts";
import { useKeyboard } from "../../keyboard/keyboard";
import { Notices } from "../../microscope/Notices";
import { PictureField } from "../../microscope/PictureField";
import { PanelRail } from "../../microscope/panels/PanelRail";
import { SidePanel } from "../../microscope/panels/SidePanel";
import type { Command, Overlay, SidePanelPart, SlideContext } from "../../microscope/parts";
import { useMicroscope } from "../../microscope/useMicroscope";
import styles from "../../microscope/slide.module.css";
import { HiddenControls } from "../../settings/HiddenControls";
import { leaveInnermost } from "../annotate/commands";
import { StatusBar } from "../page/StatusBar";
import { loadAhead } from "../../ui/later/deferred";
import { useScheme } from "../../ui/useScheme";

/** What a page of files has of the microscope's parts. */
export interface FileParts {
  readonly overlays: readonly Overlay[];
  readonly panels: readonly SidePanelPart[];
  readonly commands: readonly Command[];
}

interface Props {
  readonly manifest: Manifest;
  readonly parts: FileParts;
  readonly bar: (microscope: Microscope | null) => ReactNode;
  /** Called once the microscope is open; what it gives ends that. */
  readonly onOpen?: (microscope: Microscope) => () => void;
  /** Laid over the picture. */
  readonly children?: ReactNode;
}

/** The microscope with what needs no service: it looks, measures and adjusts, and changes nothing. */
export function FileView({ manifest, parts: { overlays, panels, commands }, bar, onOpen, children }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const { microscope, failure } = useMicroscope(container, manifest);
  const context = useContextOf(microscope, manifest);
  useKeyboard(context, commands);
  useEffect(() => void microscope?.idle().then(loadAhead), [microscope]);
  useEffect(() => (microscope ? onOpen?.(microscope) : undefined), [microscope, onOpen]);
  return (
    <div className={styles.page} data-testid="slide-page" data-ready={microscope !== null}>
      {bar(microscope)}
      <div className={styles.workspace}>
        <div className={styles.stage}>
          <PictureField container={container} title={manifest.title}>
            <Notices microscope={microscope} failure={failure} onReload={() => location.reload()} />
            {children}
            {microscope && overlays.map((Part, i) => <Part key={i} microscope={microscope} manifest={manifest} />)}
          </PictureField>
          {microscope && (
            <SidePanel panels={panels} leaveInnermost={leaveInnermost} microscope={microscope} manifest={manifest} />
          )}
        </div>
        <PanelRail panels={panels} />
      </div>
      {microscope ? <StatusBar microscope={microscope} /> : <footer className={styles.statusBar} />}
      <HiddenControls />
      {context && <KeyboardShortcuts context={context} list={commands} />}
      {context && <CommandPalette context={context} list={commands} />}
    </div>
  );
}

function useContextOf(microscope: Microscope | null, manifest: Manifest): SlideContext | null {
  const { toggle } = useScheme();
  return useMemo(
    () =>
      microscope && {
        microscope,
        manifest,
        container: microscope.viewer.element,
        mayHost: false,
        toggleScheme: toggle,
      },
    [microscope, manifest, toggle],
  );
}
