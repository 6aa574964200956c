import { Text } from "@mantine/core";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { FidelityBadge } from "../../microscope/FidelityBadge";
import { LightBadge } from "../light/LightBadge";
import styles from "../../microscope/slide.module.css";
import { later } from "../../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

const PointerPosition = later<{ readonly microscope: Microscope }>(
  async () => (await import("./PointerPosition")).PointerPosition,
  { ahead: true, afterPicture: true },
);

export function StatusBar({ microscope }: { readonly microscope: Microscope }) {
  return (
    <footer className={styles.statusBar}>
      <FidelityBadge microscope={microscope} />
      <LightBadge microscope={microscope} />
      <Position microscope={microscope} />
    </footer>
  );
}

function Position({ microscope }: { readonly microscope: Microscope }) {
  return (
    <Text size="xs" c="dimmed" className={styles.position} title={t("page.pointerHint")} data-testid="pointer-position">
      <PointerPosition microscope={microscope} />
    </Text>
  );
}
