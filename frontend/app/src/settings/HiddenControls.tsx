import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import { settingsDialog } from "./dialog";
import { controls, show } from "./presenting";
import styles from "./settings.module.css";
import { later } from "../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

const SettingsDialog = later(async () => (await import("./SettingsDialog")).SettingsDialog);

/** The settings; where the controls are hidden, the way back to them, and the mark of the pointer for those who look at a projector. */
export function HiddenControls() {
  const { open } = useStore(settingsDialog);
  const { shown } = useStore(controls);
  useEffect(() => {
    document.documentElement.dataset.controls = shown;
    return () => {
      delete document.documentElement.dataset.controls;
    };
  }, [shown]);
  useEffect(() => () => show("all"), []);
  return (
    <>
      {open && <SettingsDialog />}
      {shown !== "all" && (
        <Button className={styles.back} variant="default" onClick={() => show("all")}>
          {t("settings.showControls")}
        </Button>
      )}
      {shown === "presenter" && <PointerMark />}
    </>
  );
}

/** A ring around the pointer. */
function PointerMark() {
  const ring = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = ({ clientX, clientY }: PointerEvent): void => {
      ring.current!.style.translate = `${clientX}px ${clientY}px`;
      ring.current!.hidden = false;
    };
    addEventListener("pointermove", move, { capture: true });
    return () => removeEventListener("pointermove", move, { capture: true });
  }, []);
  return <div ref={ring} className={styles.pointer} hidden aria-hidden="true" data-testid="pointer-mark" />;
}
