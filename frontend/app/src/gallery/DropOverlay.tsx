import { useEffect, useState } from "react";
import { useMay } from "../accounts/account";
import { sendFiles } from "../state/uploads";
import styles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Files dropped anywhere on the page are uploaded. Without the right to upload they are ignored, and the page stays. */
export function DropOverlay() {
  const [over, setOver] = useState(false);
  const may = useMay("instructor");
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const drag = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (may) setOver(true);
      else event.dataTransfer!.dropEffect = "none";
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      if (may) sendFiles(event.dataTransfer?.files ?? []);
    };
    addEventListener("dragenter", drag);
    addEventListener("dragover", drag);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragenter", drag);
      removeEventListener("dragover", drag);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [may]);
  return over ? <div className={styles.dropOverlay}>{t("gallery.dropHint")}</div> : null;
}
