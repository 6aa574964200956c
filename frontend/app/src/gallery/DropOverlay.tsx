import { useEffect, useState } from "react";
import { useMay } from "../accounts/account";
import { lookAt } from "../state/lookedAt";
import { sendFiles } from "./uploads";
import styles from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

/** Of the field on which a file is dropped to be looked at. */
const LOOK = "data-look";

/**
 * Files dropped anywhere on the page are uploaded; the first of those dropped on its own field, or of any without the right to upload, is
 * looked at instead (LI8).
 */
export function DropOverlay() {
  const [over, setOver] = useState(false);
  const may = useMay("instructor");
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const drag = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      const onField = event.target instanceof Element && event.target.closest(`[${LOOK}]`) !== null;
      if (may && !onField) sendFiles(files);
      else if (files[0]) lookAt(files[0]);
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
  if (!over) return null;
  return (
    <div className={styles.dropOverlay}>
      <div className={styles.dropField} {...{ [LOOK]: true }}>
        {t("gallery.lookNow")}
      </div>
      {may && <div className={styles.dropField}>{t("gallery.dropHint")}</div>}
    </div>
  );
}
