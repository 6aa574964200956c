import { useStore } from "zustand";
import type { Fidelity } from "@wavescope/core/tiles/state";
import { storedSigma } from "@wavescope/core/wire/slides/details";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import styles from "./controls.module.css";
import { Hint } from "../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

interface Labels {
  readonly short: string;
  readonly long: string;
}

/** Never in doubt what one looks at: a preview, a picture still being refined, or all that the store holds. */
export function FidelityBadge({ microscope }: { readonly microscope: Microscope }) {
  const fidelity = useStore(microscope.state, (state) => state.fidelity);
  const layers = useStore(microscope.state, (state) => state.layers);
  const damage = useStore(microscope.state, (state) => state.damage);
  const level = useStore(microscope.state, (state) => state.level);
  const { short, long } = labelsFor(fidelity, microscope, layers, level, damage);
  return (
    <Hint label={long} multiline maw={340}>
      <div
        className={styles.fidelity}
        data-fidelity={microscope.manifest.preview && fidelity !== "damaged" ? "preview" : fidelity}
        data-testid="fidelity"
        role="note"
        tabIndex={0}
        aria-label={`${short}. ${long}`}
      >
        <span className={styles.fidelityDot} aria-hidden="true" />
        <span className={styles.fidelityWord}>{short}</span>
      </div>
    </Hint>
  );
}

function labelsFor(
  fidelity: Fidelity,
  microscope: Microscope,
  layers: number,
  level: number,
  damage: readonly string[],
): Labels {
  const { layers: stored, profile, preview, details } = microscope.manifest;
  const sigma = storedSigma(details, level);
  if (preview && fidelity !== "damaged") return { short: t("common.preview"), long: t("microscope.importingHint") };
  switch (fidelity) {
    case "preview":
      return { short: t("common.preview"), long: t("microscope.previewHint") };
    case "refining":
      return {
        short: t("microscope.refining"),
        long: t("microscope.refiningHint", { layers, stored }),
      };
    case "sharp":
      return {
        short: t("microscope.sharp"),
        long: t("microscope.sharpHint", { stored }),
      };
    case "exact":
      if (profile === "lossless") return { short: t("microscope.lossless"), long: t("microscope.losslessHint") };
      return {
        short: t("microscope.fullyLoaded"),
        long: t("microscope.fullyLoadedHint") + (sigma === null ? "" : t("microscope.fullyLoadedSigma", { sigma })),
      };
    case "damaged":
      return {
        short: t("microscope.damaged"),
        long: t("microscope.damagedHint", { damage: damage.join("; ") }),
      };
  }
}
