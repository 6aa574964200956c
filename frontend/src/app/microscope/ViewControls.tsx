import { Overview } from "./Overview";
import { ViewedAreasButtons } from "./bookmarks/ViewedAreasButtons";
import { TurnControl } from "./navigation/TurnControl";
import type { PartProps } from "./parts";
import { ZoomControls } from "./ZoomControls";
import styles from "./controls.module.css";

/** The column at the upper right: the whole slide, small, and the zoom buttons. */
export function ViewControls({ scope }: PartProps) {
  return (
    <div className={styles.right}>
      <Overview scope={scope} />
      <ViewedAreasButtons scope={scope} />
      <div className={styles.tools}>
        <ZoomControls scope={scope} />
        <TurnControl scope={scope} />
      </div>
    </div>
  );
}
