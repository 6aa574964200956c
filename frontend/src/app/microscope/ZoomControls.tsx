import { ActionIcon } from "@mantine/core";
import { IconHome, IconMinus, IconPlus, IconSquareNumber1 } from "@tabler/icons-react";
import type { Microscope } from "../../viewer/core/microscope";
import { home, zoomBy, zoomToScale } from "../../viewer/navigation/moves";
import { jump } from "./browserHistory";
import styles from "./controls.module.css";
import { Hint } from "../ui/later/Hint";
import { t } from "../../i18n/i18n";

const STEP = 2;

export function ZoomControls({ scope }: { readonly scope: Microscope }) {
  const controls = [
    { name: t("microscope.zoomIn"), key: "+", icon: <IconPlus size={18} />, act: () => zoomBy(scope, STEP) },
    { name: t("microscope.zoomOut"), key: "-", icon: <IconMinus size={18} />, act: () => zoomBy(scope, 1 / STEP) },
    {
      name: t("microscope.fullResolution"),
      key: "1",
      icon: <IconSquareNumber1 size={18} />,
      act: () => jump(scope, () => zoomToScale(scope, 1)),
    },
    {
      name: t("microscope.wholeSlide"),
      key: "0",
      icon: <IconHome size={18} />,
      act: () => jump(scope, () => home(scope)),
    },
  ];
  return (
    <div className={styles.zoom} role="group" aria-label={t("microscope.zoom")}>
      {controls.map(({ name, key, icon, act }) => (
        <Hint key={name} label={`${name} (${key})`} position="left">
          <ActionIcon variant="default" size="lg" onClick={act} aria-label={name}>
            {icon}
          </ActionIcon>
        </Hint>
      ))}
    </div>
  );
}
