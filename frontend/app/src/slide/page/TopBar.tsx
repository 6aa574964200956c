import { ActionIcon, Text } from "@mantine/core";
import { IconArrowLeft, IconCommand, IconMaximize, IconMinimize, IconSettings } from "@tabler/icons-react";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { scaleText } from "@wavescope/viewer/navigation/scale";
import { addressOf, casePath, follow, useQueryParameter } from "../../state/router";
import { sizeLabel } from "../../ui/format";
import { vendorName } from "../../ui/formatNames";
import { toggleFullScreen } from "../../microscope/fullScreen";
import type { Overlay } from "../../microscope/parts";
import { type LaterParts, laterParts } from "./later";
import styles from "../../microscope/slide.module.css";
import { Hint } from "../../ui/later/Hint";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly manifest: Manifest;
  readonly microscope: Microscope | null;
  /** Buttons of features; null until they are here. */
  readonly items: readonly Overlay[] | null;
}

export function TopBar({ manifest, microscope, items }: Props) {
  const full = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const label = full ? t("page.leaveFullScreen") : t("page.fullScreen");
  const caseId = useQueryParameter("case");
  const from =
    caseId === null
      ? { path: "/", label: t("common.backGallery") }
      : { path: casePath(caseId), label: t("page.backToCase") };
  return (
    <header className={styles.topBar}>
      <Hint label={from.label}>
        <ActionIcon
          component="a"
          href={addressOf(from.path)}
          onClick={(event: React.MouseEvent) => follow(event, from.path)}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={from.label}
        >
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Hint>
      <Text component="h1" fw={600} size="sm" truncate className={styles.title}>
        {manifest.title}
      </Text>
      <Text size="xs" c="dimmed" className={styles.facts} truncate>
        {factsOf(manifest).join(" · ")}
      </Text>
      {!manifest.preview && !items && <span className={styles.itemsToCome} aria-hidden="true" />}
      {microscope &&
        !manifest.preview &&
        items?.map((Item, i) => <Item key={i} microscope={microscope} manifest={manifest} />)}
      <BarButton
        label={t("keyboard.commandPalette")}
        command="page.palette"
        icon={<IconCommand size={18} />}
        onClick={openPalette}
      />
      <BarButton
        label={t("page.settings")}
        command="page.settings"
        icon={<IconSettings size={18} />}
        onClick={openSettings}
      />
      <BarButton
        label={label}
        command="page.full-screen"
        icon={full ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
        onClick={() => toggleFullScreen()}
      />
    </header>
  );
}

interface BarButtonProps {
  readonly label: string;
  readonly command: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

function BarButton({ label, command, icon, onClick }: BarButtonProps) {
  return (
    <Hint label={label} commands={[command]}>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Hint>
  );
}

/** Opens what is in the later parts. */
function openLater(open: (parts: LaterParts) => void): void {
  void laterParts.load().then(open, () => null); // the page says that a part of it is missing
}

const openSettings = (): void => openLater((parts) => parts.showSettings(true));

const openPalette = (): void => openLater((parts) => parts.spotlight.open());

function subscribe(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => document.removeEventListener("fullscreenchange", listener);
}

function factsOf(manifest: Manifest): string[] {
  const facts = [
    sizeLabel(manifest.width, manifest.height),
    scaleText(manifest.mpp?.x ?? null, manifest.objectivePower),
  ];
  if (manifest.planes > 1) facts.push(t("common.focalPlanes", { count: manifest.planes }));
  if (manifest.vendor) facts.push(vendorName(manifest.vendor));
  return facts;
}
