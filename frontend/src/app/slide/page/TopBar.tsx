import { ActionIcon, Text, Tooltip } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import { IconArrowLeft, IconCommand, IconKeyboard, IconMaximize, IconMinimize } from "@tabler/icons-react";
import { type ReactNode, useSyncExternalStore } from "react";
import type { Microscope } from "../../../viewer/core/microscope";
import type { Manifest } from "../../../wire/slides/manifest";
import { scaleText } from "../../../viewer/navigation/scale";
import { SchemeToggle } from "../../ui/SchemeToggle";
import { addressOf, casePath, follow, useQueryParameter } from "../../state/router";
import { sizeLabel } from "../../ui/format";
import { vendorName } from "../../ui/formatNames";
import { showKeyboardMap } from "../../microscope/panelState";
import { toggleFullScreen } from "../../microscope/fullScreen";
import { topBarItems } from "./topBarItems";
import styles from "../../microscope/slide.module.css";
import { t } from "../../../i18n/i18n";

interface Props {
  readonly manifest: Manifest;
  readonly scope: Microscope | null;
}

export function TopBar({ manifest, scope }: Props) {
  const full = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const label = full ? t("page.leaveFullScreen") : t("page.fullScreen");
  const caseId = useQueryParameter("case");
  const from =
    caseId === null
      ? { path: "/", label: t("common.backGallery") }
      : { path: casePath(caseId), label: t("page.backToCase") };
  return (
    <header className={styles.topBar}>
      <Tooltip label={from.label}>
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
      </Tooltip>
      <Text component="h1" fw={600} size="sm" truncate className={styles.title}>
        {manifest.title}
      </Text>
      <Text size="xs" c="dimmed" className={styles.facts} truncate>
        {factsOf(manifest).join(" · ")}
      </Text>
      {scope && !manifest.preview && topBarItems.map((Item, i) => <Item key={i} scope={scope} manifest={manifest} />)}
      <BarButton
        label={t("common.commandsWithKey")}
        icon={<IconCommand size={18} />}
        onClick={() => spotlight.open()}
      />
      <BarButton
        className={styles.keys}
        label={t("common.keyboardWithKey")}
        icon={<IconKeyboard size={18} />}
        onClick={() => showKeyboardMap(true)}
      />
      <SchemeToggle className={styles.theme} />
      <BarButton
        label={label}
        icon={full ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
        onClick={() => toggleFullScreen()}
      />
    </header>
  );
}

interface BarButtonProps {
  readonly className?: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly onClick: () => void;
}

function BarButton({ className, label, icon, onClick }: BarButtonProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon className={className} variant="subtle" color="gray" size="lg" aria-label={label} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

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
