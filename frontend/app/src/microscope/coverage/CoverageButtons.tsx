import { ActionIcon } from "@mantine/core";
import { IconWalk } from "@tabler/icons-react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageOf } from "@wavescope/viewer/navigation/coverage";
import styles from "../controls.module.css";
import { toggleCoverage } from "./coverage";
import { Hint } from "../../ui/later/Hint";
import { later } from "../../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
}

const CoverageControls = later<Props>(async () => (await import("./CoverageControls")).CoverageControls);

/** Shows and hides how much of the tissue was seen, and what belongs to it. */
export function CoverageButtons({ microscope }: Props) {
  const shown = useStore(coverageOf(microscope), (coverage) => coverage.shown);
  return (
    <div className={styles.coverageButtons} role="group" aria-label={t("coverage.coverage")}>
      <Hint label={t(shown ? "coverage.hide" : "coverage.show")} commands={["coverage.show"]} position="left">
        <ActionIcon
          variant={shown ? "filled" : "default"}
          size="sm"
          onClick={() => toggleCoverage(microscope)}
          aria-label={t("coverage.coverage")}
          aria-pressed={shown}
        >
          <IconWalk size={14} />
        </ActionIcon>
      </Hint>
      {shown && <CoverageControls microscope={microscope} />}
    </div>
  );
}
