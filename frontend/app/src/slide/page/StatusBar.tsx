import type { Microscope } from "@wavescope/viewer/core/microscope";
import { FidelityBadge } from "../../microscope/FidelityBadge";
import styles from "../../microscope/slide.module.css";
import { later } from "../../ui/later/Later";

const StatusLine = later<{ readonly microscope: Microscope }>(async () => (await import("./StatusLine")).StatusLine, {
  ahead: true,
  afterPicture: true,
});

export function StatusBar({ microscope }: { readonly microscope: Microscope }) {
  return (
    <footer className={styles.statusBar}>
      <FidelityBadge microscope={microscope} />
      <StatusLine microscope={microscope} />
    </footer>
  );
}
