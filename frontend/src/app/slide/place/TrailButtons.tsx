import { ActionIcon, Tooltip } from "@mantine/core";
import { IconEraser, IconWalk } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/microscope";
import { trailOf } from "../../../viewer/trail";
import styles from "../slide.module.css";
import { clearTrail, toggleTrail } from "./trail";

/** Shows and clears the trail of visited fields. */
export function TrailButtons({ scope }: { readonly scope: Microscope }) {
  const { shown, fields } = useStore(trailOf(scope));
  return (
    <div className={styles.trailButtons} role="group" aria-label="Trail">
      {shown && (
        <Tooltip label="Clear the trail" position="left">
          <ActionIcon variant="default" size="sm" onClick={() => clearTrail(scope)} aria-label="Clear the trail" disabled={fields.length === 0}>
            <IconEraser size={14} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Trail of visited fields (Shift+V)" position="left">
        <ActionIcon variant={shown ? "filled" : "default"} size="sm" onClick={() => toggleTrail(scope)} aria-label="Trail of visited fields" aria-pressed={shown}>
          <IconWalk size={14} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
