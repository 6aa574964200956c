import { ActionIcon, Tooltip } from "@mantine/core";
import { IconHome, IconMinus, IconPlus, IconSquareNumber1 } from "@tabler/icons-react";
import type { Microscope } from "../../viewer/core/microscope";
import { home, zoomBy, zoomToScale } from "../../viewer/navigation/moves";
import { jump } from "./history";
import styles from "./slide.module.css";

const STEP = 2;

export function ZoomControls({ scope }: { readonly scope: Microscope }) {
  const controls = [
    { name: "Zoom in", key: "+", icon: <IconPlus size={18} />, act: () => zoomBy(scope, STEP) },
    { name: "Zoom out", key: "-", icon: <IconMinus size={18} />, act: () => zoomBy(scope, 1 / STEP) },
    {
      name: "Full resolution, 1:1",
      key: "1",
      icon: <IconSquareNumber1 size={18} />,
      act: () => jump(scope, () => zoomToScale(scope, 1)),
    },
    { name: "Whole slide", key: "0", icon: <IconHome size={18} />, act: () => jump(scope, () => home(scope)) },
  ];
  return (
    <div className={styles.zoom} role="group" aria-label="Zoom">
      {controls.map(({ name, key, icon, act }) => (
        <Tooltip key={name} label={`${name} (${key})`} position="left">
          <ActionIcon variant="default" size="lg" onClick={act} aria-label={name}>
            {icon}
          </ActionIcon>
        </Tooltip>
      ))}
    </div>
  );
}
