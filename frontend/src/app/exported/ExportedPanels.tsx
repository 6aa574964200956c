import { ActionIcon, CloseButton, Title } from "@mantine/core";
import { useStore } from "zustand";
import { keyCaps } from "../microscope/keyNames";
import { PANEL_ELEMENT, panelState, showPanel, togglePanel } from "../microscope/panelState";
import styles from "../microscope/panel.module.css";
import type { PartProps } from "../microscope/parts";
import { leaveInnermost } from "../slide/annotate/commands";
import { Hint } from "../ui/later/Hint";
import { panels } from "./parts";
import { t } from "../../i18n/i18n";

/** One button per side panel, at the edge. */
export function ExportedRail() {
  const open = useStore(panelState, (state) => state.panel);
  return (
    <nav className={styles.rail} aria-label={t("page.panels")} data-testid="panel-rail">
      {panels.map(({ id, title, icon: Icon, keys }) => (
        <Hint key={id} label={`${title} (${keyCaps(keys[0], false).join("+")})`} position="left" disabled={open === id}>
          <ActionIcon
            variant={open === id ? "filled" : "subtle"}
            color={open === id ? undefined : "gray"}
            size="lg"
            onClick={() => togglePanel(id)}
            aria-label={title}
            aria-expanded={open === id}
            aria-controls={open === id ? PANEL_ELEMENT : undefined}
          >
            <Icon size={18} />
          </ActionIcon>
        </Hint>
      ))}
    </nav>
  );
}

export function ExportedPanel(props: PartProps) {
  const id = useStore(panelState, (state) => state.panel);
  const part = panels.find((panel) => panel.id === id);
  if (!part) return null;
  const keys = (event: React.KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    if (!leaveInnermost(props.scope)) showPanel(null);
  };
  return (
    <aside
      id={PANEL_ELEMENT}
      className={styles.panel}
      aria-label={part.title}
      data-testid="side-panel"
      data-panel={part.id}
      onKeyDown={keys}
    >
      <div className={styles.head}>
        <Title order={2} size="h5">
          {part.title}
        </Title>
        <CloseButton
          onClick={() => showPanel(null)}
          aria-label={t("page.closePanel", { title: part.title.toLowerCase() })}
        />
      </div>
      <div
        key={part.id}
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
