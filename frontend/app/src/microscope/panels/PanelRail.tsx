import { ActionIcon } from "@mantine/core";
import { useStore } from "zustand";
import { buttonId } from "./SidePanel";
import styles from "../panel.module.css";
import { PANEL_ELEMENT, panelState, togglePanel } from "../panelState";
import type { SidePanelPart } from "../parts";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

/** One button per side panel, at the edge. */
export function PanelRail({ panels }: { readonly panels: readonly SidePanelPart[] }) {
  const open = useStore(panelState, (state) => state.panel);
  if (panels.length === 0) return null;
  return (
    <nav className={styles.rail} aria-label={t("page.panels")} data-testid="panel-rail">
      {panels.map(({ id, title, icon: Icon }) => (
        <Hint key={id} label={title} commands={[`panel.${id}`]} position="left" disabled={open === id}>
          <ActionIcon
            id={buttonId(id)}
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
