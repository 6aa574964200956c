import { ActionIcon, Text } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconCommand, IconFolderOpen, IconKeyboard, IconMaximize, IconSettings } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { scaleText } from "@wavescope/viewer/navigation/scale";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { toggleFullScreen } from "../microscope/fullScreen";
import { showKeyboardMap } from "../microscope/panelState";
import styles from "../microscope/slide.module.css";
import { CameraButton } from "../slide/exporting/CameraButton";
import { sizeLabel } from "../ui/format";
import { Hint } from "../ui/later/Hint";
import { showSettings } from "../settings/dialog";
import { FileChooser } from "../ui/FileChooser";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope | null;
  readonly manifest: Manifest;
  readonly open: (file: File | null) => void;
}

export function ExportedBar({ microscope, manifest, open }: Props) {
  const { width, height, mpp, objectivePower } = manifest;
  return (
    <header className={styles.topBar}>
      <FileChooser onChoose={open} accept=".wsz">
        {({ onClick }) => (
          <BarButton label={t("exported.openOther")} icon={<IconFolderOpen size={18} />} onClick={onClick} />
        )}
      </FileChooser>
      <Text component="h1" fw={600} size="sm" truncate className={styles.title}>
        {manifest.title}
      </Text>
      <Text size="xs" c="dimmed" className={styles.facts} truncate>
        {[sizeLabel(width, height), scaleText(mpp?.x ?? null, objectivePower)].join(" · ")}
      </Text>
      {microscope && <CameraButton microscope={microscope} manifest={manifest} />}
      <BarButton
        label={t("keyboard.commandPalette")}
        command="page.palette"
        icon={<IconCommand size={18} />}
        onClick={() => spotlight.open()}
      />
      <BarButton
        label={t("keyboard.shortcuts")}
        command="page.keyboard-map"
        icon={<IconKeyboard size={18} />}
        onClick={() => showKeyboardMap(true)}
      />
      <BarButton label={t("page.settings")} icon={<IconSettings size={18} />} onClick={() => showSettings(true)} />
      <BarButton
        label={t("page.fullScreen")}
        command="page.full-screen"
        icon={<IconMaximize size={18} />}
        onClick={() => toggleFullScreen()}
      />
    </header>
  );
}

interface BarButtonProps {
  readonly label: string;
  /** Id of the command that does the same. */
  readonly command?: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

function BarButton({ label, command, icon, onClick }: BarButtonProps) {
  return (
    <Hint label={label} commands={command ? [command] : []}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Hint>
  );
}
