import { ActionIcon } from "@mantine/core";
import { IconWalk } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "../../../viewer/core/microscope";
import { viewedAreasOf } from "../../../viewer/navigation/viewedAreas";
import styles from "../controls.module.css";
import { toggleViewedAreas } from "./viewedAreas";
import { Hint } from "../../ui/later/Hint";
import { later } from "../../ui/later/Later";
import { t } from "../../../i18n/i18n";

const ViewedAreasClearing = later(async () => (await import("./ViewedAreasClearing")).ViewedAreasClearing);

/** Shows, hides and clears the areas viewed so far. */
export function ViewedAreasButtons({ scope }: { readonly scope: Microscope }) {
  const { shown, fields } = useStore(viewedAreasOf(scope));
  return (
    <div className={styles.viewedAreasButtons} role="group" aria-label={t("microscope.viewedAreas")}>
      <Hint label={t(shown ? "microscope.hideViewedAreas" : "microscope.showViewedAreas")} position="left">
        <ActionIcon
          variant={shown ? "filled" : "default"}
          size="sm"
          onClick={() => toggleViewedAreas(scope)}
          aria-label={t("microscope.viewedAreas")}
          aria-pressed={shown}
        >
          <IconWalk size={14} />
        </ActionIcon>
      </Hint>
      {shown && <ViewedAreasClearing scope={scope} disabled={fields.length === 0} />}
    </div>
  );
}
