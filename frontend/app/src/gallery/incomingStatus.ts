/** What the row of an import says. */
import { qualitiesInText } from "../quality/labels";
import type { Incoming } from "../state/uploads";
import { durationLabel } from "../ui/format";
import { t } from "@wavescope/core/i18n/i18n";

export function statusText(job: Incoming): string {
  const percent = job.progress === null ? null : Math.floor(job.progress * 100);
  const quality = qualitiesInText(job);
  switch (job.phase) {
    case "sending":
      return percent === null ? t("gallery.uploading", { quality }) : t("gallery.uploadingPart", { percent, quality });
    case "held":
      if (job.reason !== null) return t("gallery.stopped", { reason: job.reason });
      return job.storedAs.length > 0 ? t("gallery.alreadyStored") : t("gallery.uploadedChooseQuality");
    case "waiting":
      return t("gallery.queued", { quality });
    case "ingesting":
      if (job.reencoding)
        return percent === null ? t("quality.reducing", { quality }) : t("quality.reducingPart", { percent, quality });
      if (percent === null) return t("gallery.importing", { quality });
      return job.secondsLeft === null
        ? t("gallery.importingPart", { percent, quality })
        : t("gallery.importingLeft", { percent, quality, left: durationLabel(job.secondsLeft) });
    case "done":
      return t("gallery.ready");
    case "cancelled":
      return t("gallery.cancelled");
    case "failed":
      return job.reason ?? t("gallery.failed");
  }
}
