import { allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "./parts";
import { CoverageButtons } from "./coverage/CoverageButtons";
import { SlideLabel } from "./SlideLabel";
import styles from "./overviewButtons.module.css";

/** Below the overview: coverage, and the label of the slide for those who may see it. */
export function OverviewButtons({ microscope }: Pick<PartProps, "microscope">) {
  const { manifest } = microscope;
  const label = !manifest.files && !manifest.preview && allows(manifest, "view label");
  return (
    <div className={styles.row}>
      <CoverageButtons microscope={microscope} />
      {label && <SlideLabel id={manifest.id} />}
    </div>
  );
}
