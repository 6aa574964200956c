import { FoldingOverview } from "./Overview";
import type { PartProps } from "./parts";
import { ZoomControls } from "./ZoomControls";
import styles from "./controls.module.css";
import { later } from "../ui/later/Later";

const TURN_TO_COME = (
  <div className={styles.turnToCome} aria-hidden="true">
    <span />
    <span />
  </div>
);

const TurnControl = later<{ readonly microscope: PartProps["microscope"] }>(
  async () => (await import("./navigation/TurnControl")).TurnControl,
  { placeholder: TURN_TO_COME, ahead: true, afterPicture: true },
);

/** Of the size of its button, so that the ones below stay where they are. */
const COVERAGE_TO_COME = <div className={styles.coverageToCome} aria-hidden="true" />;

const OverviewButtons = later<{ readonly microscope: PartProps["microscope"] }>(
  async () => (await import("./OverviewButtons")).OverviewButtons,
  { placeholder: COVERAGE_TO_COME, ahead: true, afterPicture: true },
);

/** The column at the upper right: the whole slide, small, and the zoom buttons. */
export function ViewControls({ microscope }: PartProps) {
  return (
    <div className={styles.right}>
      <FoldingOverview microscope={microscope} />
      <OverviewButtons microscope={microscope} />
      <div className={styles.tools}>
        <ZoomControls microscope={microscope} />
        <TurnControl microscope={microscope} />
      </div>
    </div>
  );
}
