import { ActionIcon } from "@mantine/core";
import { IconWalk } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { viewedAreasOf } from "@wavescope/viewer/navigation/viewedAreas";
import styles from "../controls.module.css";
import { toggleViewedAreas } from "./viewedAreas";
import { Hint } from "../../ui/later/Hint";
import { later } from "../../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

const ViewedAreasClearing = later(async () => (await import("./ViewedAreasClearing")).ViewedAreasClearing);

/** Shows, hides and clears the areas viewed so far. */
export function ViewedAreasButtons({ microscope }: { readonly microscope: Microscope }) {
  const { shown, fields } = useStore(viewedAreasOf(microscope));
  return (
    <div className={styles.viewedAreasButtons} role="group" aria-label={t("microscope.viewedAreas")}>
      <Hint label={t(shown ? "microscope.hideViewedAreas" : "microscope.showViewedAreas")} position="left">
        <ActionIcon
          variant={shown ? "filled" : "default"}
          size="sm"
          onClick={() => toggleViewedAreas(microscope)}
          aria-label={t("microscope.viewedAreas")}
          aria-pressed={shown}
        >
          <IconWalk size={14} />
        </ActionIcon>
      </Hint>
      {shown && <ViewedAreasClearing microscope={microscope} disabled={fields.length === 0} />}
    </div>
  );
}
