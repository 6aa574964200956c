import { ActionIcon, Text, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconMaximize, IconMinimize } from "@tabler/icons-react";
import { type RefObject, useSyncExternalStore } from "react";
import type { Manifest } from "../../wire/manifest";
import { magnificationLabel, slideMagnification } from "../../viewer/scale";
import { SchemeToggle } from "../SchemeToggle";
import { navigate } from "../router";
import { sizeLabel } from "../wording";
import { toggleFullScreen } from "./fullScreen";
import styles from "./slide.module.css";

interface Props {
  readonly manifest: Manifest;
  readonly page: RefObject<HTMLElement | null>;
}

export function TopBar({ manifest, page }: Props) {
  const full = useSyncExternalStore(subscribe, () => document.fullscreenElement !== null);
  const word = full ? "Leave full screen" : "Full screen";
  const back = (event: React.MouseEvent): void => {
    event.preventDefault();
    navigate("/");
  };
  return (
    <header className={styles.topBar}>
      <Tooltip label="Back to the gallery">
        <ActionIcon component="a" href="/" onClick={back} variant="subtle" color="gray" size="lg" aria-label="Back to the gallery">
          <IconArrowLeft size={18} />
        </ActionIcon>
      </Tooltip>
      <Text component="h1" fw={600} size="sm" truncate className={styles.title}>
        {manifest.title}
      </Text>
      <Text size="xs" c="dimmed" className={styles.facts} truncate>
        {factsOf(manifest).join(" · ")}
      </Text>
      <SchemeToggle />
      <Tooltip label={word}>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={word} onClick={() => toggleFullScreen(page.current)}>
          {full ? <IconMinimize size={18} /> : <IconMaximize size={18} />}
        </ActionIcon>
      </Tooltip>
    </header>
  );
}

function subscribe(listener: () => void): () => void {
  document.addEventListener("fullscreenchange", listener);
  return () => document.removeEventListener("fullscreenchange", listener);
}

function factsOf(manifest: Manifest): string[] {
  const facts = [sizeLabel(manifest.width, manifest.height)];
  const mpp = manifest.mpp?.x ?? null;
  if (mpp !== null) facts.push(`${Number(mpp.toPrecision(4))} µm/px`);
  const magnification = slideMagnification(mpp, manifest.objectivePower);
  if (magnification !== null) facts.push(magnificationLabel(magnification));
  if (manifest.planes > 1) facts.push(`${manifest.planes} planes`);
  if (manifest.vendor) facts.push(manifest.vendor);
  return facts;
}
