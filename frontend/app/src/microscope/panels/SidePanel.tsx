import { CloseButton } from "@mantine/core";
import { useCallback, useRef } from "react";
import { useStore } from "zustand";
import { coverWith } from "@wavescope/viewer/navigation/freePart";
import styles from "../panel.module.css";
import { PANEL_ELEMENT, panelState, showPanel } from "../panelState";
import type { PartProps, SidePanelPart } from "../parts";
import { t } from "@wavescope/core/i18n/i18n";

interface Props extends PartProps {
  readonly panels: readonly SidePanelPart[];
  /** Ends what is being drawn or is selected; false if there is nothing of the kind. */
  readonly leaveInnermost: (microscope: PartProps["microscope"]) => boolean;
}

/** The open side panel: beside the picture on wide screens, below it on narrow and upright ones. */
export function SidePanel({ panels, leaveInnermost, ...props }: Props) {
  const id = useStore(panelState, (state) => state.panel);
  const body = useRef<HTMLDivElement>(null);
  const { microscope } = props;
  const cover = useCallback(
    (panel: HTMLElement) => {
      coverWith(microscope, panel);
      return () => coverWith(microscope, null);
    },
    [microscope],
  );
  const part = panels.find((panel) => panel.id === id);
  if (!part) return null;
  const close = (): void => {
    showPanel(null);
    document.getElementById(buttonId(part.id))?.focus();
  };
  const keys = (event: React.KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    body.current?.focus(); // what was typed is written when its field is left
    if (!leaveInnermost(microscope)) close();
  };
  return (
    <aside
      ref={cover}
      id={PANEL_ELEMENT}
      className={styles.panel}
      aria-label={part.title}
      data-testid="side-panel"
      data-panel={part.id}
      onKeyDown={keys}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>{part.title}</h2>
        <CloseButton onClick={close} aria-label={t("page.closePanel", { title: part.title.toLowerCase() })} />
      </div>
      <div
        key={part.id}
        ref={body}
        className={styles.body}
        tabIndex={0}
        role="group"
        aria-label={t("page.panelContents", { title: part.title })}
      >
        <part.Panel {...props} />
      </div>
    </aside>
  );
}

/** Id of the button that opens a panel. */
export function buttonId(panel: string): string {
  return `open-${panel}`;
}
