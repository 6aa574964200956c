import { ActionIcon } from "@mantine/core";
import { IconHome, IconMinus, IconPlus, IconSquareNumber1 } from "@tabler/icons-react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { home, zoomBy, zoomToScale } from "@wavescope/viewer/navigation/moves";
import { jump } from "./browserHistory";
import styles from "./controls.module.css";
import { Hint } from "../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

const STEP = 2;

export function ZoomControls({ microscope }: { readonly microscope: Microscope }) {
  const controls = [
    { name: t("microscope.zoomIn"), id: "in", icon: <IconPlus size={18} />, act: () => zoomBy(microscope, STEP) },
    {
      name: t("microscope.zoomOut"),
      id: "out",
      icon: <IconMinus size={18} />,
      act: () => zoomBy(microscope, 1 / STEP),
    },
    {
      name: t("microscope.fullResolution"),
      id: "full",
      icon: <IconSquareNumber1 size={18} />,
      act: () => jump(microscope, () => zoomToScale(microscope, 1)),
    },
    {
      name: t("microscope.wholeSlide"),
      id: "home",
      icon: <IconHome size={18} />,
      act: () => jump(microscope, () => home(microscope)),
    },
  ];
  return (
    <div className={styles.zoom} role="group" aria-label={t("microscope.zoom")}>
      {controls.map(({ name, id, icon, act }) => (
        <Hint key={id} label={name} commands={[`zoom.${id}`]} position="left">
          <ActionIcon variant="default" size="lg" onClick={act} aria-label={name}>
            {icon}
          </ActionIcon>
        </Hint>
      ))}
    </div>
  );
}
