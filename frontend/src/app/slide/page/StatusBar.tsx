import { Text } from "@mantine/core";
import type { Microscope } from "../../../viewer/core/microscope";
import { FidelityBadge } from "../../microscope/FidelityBadge";
import { LightBadge } from "../light/LightBadge";
import styles from "../../microscope/slide.module.css";
import { later } from "../../ui/later/Later";
import { t } from "../../../i18n/i18n";

const PointerPosition = later<{ readonly scope: Microscope }>(
  async () => (await import("./PointerPosition")).PointerPosition,
  { ahead: true, afterPicture: true },
);

export function StatusBar({ scope }: { readonly scope: Microscope }) {
  return (
    <footer className={styles.statusBar}>
      <FidelityBadge scope={scope} />
      <LightBadge scope={scope} />
      <Position scope={scope} />
    </footer>
  );
}

function Position({ scope }: { readonly scope: Microscope }) {
  return (
    <Text size="xs" c="dimmed" className={styles.position} title={t("page.pointerHint")} data-testid="pointer-position">
      <PointerPosition scope={scope} />
    </Text>
  );
}
