import { allows } from "@wavescope/core/wire/slides/manifest";
import type { PartProps } from "./parts";
import { ViewedAreasButtons } from "./bookmarks/ViewedAreasButtons";
import { SlideLabel } from "./SlideLabel";
import styles from "./overviewButtons.module.css";

/** Below the overview: the viewed areas, and the label of the slide for those who may see it. */
export function OverviewButtons({ microscope }: Pick<PartProps, "microscope">) {
  const { manifest } = microscope;
  const label = !manifest.files && !manifest.preview && allows(manifest, "view label");
  return (
    <div className={styles.row}>
      <ViewedAreasButtons microscope={microscope} />
      {label && <SlideLabel id={manifest.id} />}
    </div>
  );
}
