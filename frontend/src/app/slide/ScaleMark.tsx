import { useStore } from "zustand";
import type { Microscope } from "../../viewer/microscope";
import { magnificationLabel, scaleBar, shownMagnification } from "../../viewer/scale";
import styles from "./slide.module.css";

const ROOM = 160;

/** Scale bar and magnification; red beyond 1:1, where pixels are enlarged and nothing more is to be seen. */
export function ScaleMark({ scope }: { readonly scope: Microscope }) {
  const scale = useStore(scope.state, (state) => state.scale);
  const { mpp, objectivePower } = scope.manifest;
  const bar = scaleBar(scale / devicePixelRatio, mpp?.x ?? null, ROOM);
  const magnification = shownMagnification(scale, mpp?.x ?? null, objectivePower);
  const words = magnification === null ? `${Number((100 * scale).toPrecision(3))} %` : magnificationLabel(magnification);
  const beyond = scale > 1.001;
  return (
    <div className={styles.scaleMark} data-beyond={beyond} data-testid="scale-mark">
      <span className={styles.magnification} data-testid="magnification" title={magnification === null ? "Of full resolution" : "Objective magnification"}>
        {words}
      </span>
      <span className={styles.scaleBar} style={{ width: bar.width }} role="img" aria-label={`Scale bar: ${bar.label}${beyond ? ", enlarged beyond 1:1" : ""}`} data-testid="scale-bar">
        {bar.label}
      </span>
      {beyond && <span className={styles.beyond}>enlarged beyond 1:1</span>}
    </div>
  );
}
