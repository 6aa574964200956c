import { Tooltip } from "@mantine/core";
import { useStore } from "zustand";
import type { Fidelity } from "../../tiles/state";
import type { Microscope } from "../../viewer/core/microscope";
import styles from "./slide.module.css";

interface Words {
  readonly short: string;
  readonly long: string;
}

/** Never in doubt what one looks at: a preview, a picture still being refined, or all that the store holds. */
export function FidelityBadge({ scope }: { readonly scope: Microscope }) {
  const fidelity = useStore(scope.state, (state) => state.fidelity);
  const layers = useStore(scope.state, (state) => state.layers);
  const damage = useStore(scope.state, (state) => state.damage);
  const { short, long } = wordsFor(fidelity, scope, layers, damage);
  return (
    <Tooltip label={long} multiline maw={340}>
      <div
        className={styles.fidelity}
        data-fidelity={scope.manifest.preview && fidelity !== "damaged" ? "preview" : fidelity}
        data-testid="fidelity"
        role="status"
        tabIndex={0}
        aria-label={`${short}. ${long}`}
      >
        <span className={styles.fidelityDot} aria-hidden="true" />
        <span className={styles.fidelityWord}>{short}</span>
      </div>
    </Tooltip>
  );
}

function wordsFor(fidelity: Fidelity, scope: Microscope, layers: number, damage: readonly string[]): Words {
  const { layers: stored, profile, preview } = scope.manifest;
  if (preview && fidelity !== "damaged")
    return { short: "Preview", long: "Straight from the source file, while the slide is being made." };
  switch (fidelity) {
    case "preview":
      return { short: "Preview", long: "Parts of the view are still drawn from coarser or other pixels." };
    case "refining":
      return { short: "Refining", long: `All of the view is there; ${layers} of ${stored} quality layers so far.` };
    case "sharp":
      return {
        short: "Sharp",
        long: `As good as this slide is at full magnification; the last of ${stored} quality layers is on its way.`,
      };
    case "exact":
      if (profile === "lossless")
        return { short: "Lossless", long: "Exact: every pixel is as the scanner's file has it." };
      return {
        short: "Fully loaded",
        long: "All stored data is shown (visually lossless, not bit-exact to the scanner's file).",
      };
    case "damaged":
      return {
        short: "Damaged",
        long: `Parts of this view cannot be read from storage. They are hatched, over a dimmed coarser picture. ${damage.join("; ")}`,
      };
  }
}
