import { Overview } from "./Overview";
import type { PartProps } from "./parts";
import { ZoomControls } from "./ZoomControls";
import styles from "./slide.module.css";

/** The column at the upper right: the whole slide, small, and the zoom buttons. */
export function RightHand({ scope }: PartProps) {
  return (
    <div className={styles.right}>
      <Overview scope={scope} />
      <ZoomControls scope={scope} />
    </div>
  );
}
