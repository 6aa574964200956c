import { useMediaQuery } from "@mantine/hooks";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { type Magnification, ownMagnification, scaleBar, shownLabel } from "@wavescope/viewer/navigation/scale";
import styles from "./controls.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** CSS pixels for the scale bar; less over a picture that shares a narrow screen. */
const MAX_WIDTH = 160;
const MAX_WIDTH_ON_PHONES = 90;

/** Scale bar and magnification; red beyond 1:1, where pixels are enlarged and nothing more is to be seen. */
export function ScaleBar({ microscope }: { readonly microscope: Microscope }) {
  const scale = useStore(microscope.state, (state) => state.scale);
  const narrow = useMediaQuery("(max-width: 700px)");
  const { mpp, objectivePower } = microscope.manifest;
  const bar = scaleBar(scale / devicePixelRatio, mpp?.x ?? null, narrow ? MAX_WIDTH_ON_PHONES : MAX_WIDTH);
  const magnification = ownMagnification(mpp?.x ?? null, objectivePower);
  const beyond = scale > 1.001;
  return (
    <div className={styles.scaleMark} data-beyond={beyond} data-testid="scale-mark">
      <span className={styles.magnification} data-testid="magnification" title={titleOf(magnification)}>
        {shownLabel(scale, microscope.manifest)}
      </span>
      <span
        className={styles.scaleBar}
        style={{ width: bar.width }}
        role="img"
        aria-label={t(beyond ? "microscope.scaleBarDigital" : "microscope.scaleBar", { length: bar.label })}
        data-testid="scale-bar"
      >
        {bar.label}
      </span>
      {!mpp && (
        <span className={styles.noScale} data-testid="no-scale">
          {t("common.noScale")}
        </span>
      )}
      {beyond && <span className={styles.beyond}>{t("microscope.digitalZoom")}</span>}
    </div>
  );
}

function titleOf(magnification: Magnification | null): string {
  if (!magnification) return t("microscope.ofFullResolution");
  return magnification.equivalent ? t("microscope.equivalentHint") : t("microscope.objectiveLabel");
}
