import { ActionIcon, Anchor, Button, Paper, Progress, Text, Tooltip } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { navigate, slidePath } from "../state/router";
import { askAboutStored, chooseQualityOf } from "../quality/storing";
import { isNoSlide, useAdvice } from "../quality/useAdvice";
import { QUALITY_NAMES } from "../quality/words";
import { type Incoming, cancel, dismiss, incoming } from "../state/uploads";
import { durationLabel } from "../ui/format";
import styles from "./gallery.module.css";
import { t } from "../../i18n/i18n";

/** Uploads and ingest jobs, newest first. */
export function IncomingList() {
  const list = useStore(incoming);
  if (list.length === 0) return null;
  return (
    <Paper withBorder className={styles.incoming} component="section" aria-label={t("gallery.imports")}>
      {list.map((one) => (
        <IncomingRow key={one.key} one={one} />
      ))}
    </Paper>
  );
}

export function IncomingRow({ one }: { readonly one: Incoming }) {
  const held = one.phase === "held";
  const underway = held || one.phase === "sending" || one.phase === "waiting" || one.phase === "ingesting";
  const percent = one.progress === null ? 100 : one.progress * 100;
  const colour =
    one.phase === "failed" ? "red" : one.phase === "cancelled" ? "gray" : one.phase === "done" ? "teal" : undefined;
  return (
    <div className={styles.incomingRow} data-testid="incoming" data-phase={one.phase}>
      <Text size="sm" fw={500} truncate title={one.name}>
        {one.name}
      </Text>
      <div>
        <Text
          size="xs"
          c={one.phase === "failed" ? undefined : "dimmed"}
          className={one.phase === "failed" ? "failure" : undefined}
          role="status"
        >
          {wordsFor(one)}
        </Text>
        {one.notices.length > 0 && <Notices one={one} />}
        {underway && !held && (
          <Progress
            value={percent}
            color={colour}
            size="sm"
            mt={4}
            animated={one.progress === null}
            aria-label={t("gallery.progressOf", { name: one.name })}
          />
        )}
      </div>
      {underway ? (
        <span className={styles.incomingTools}>
          <AskButton one={one} />
          {one.jobId !== null && <PreviewButton one={one} jobId={one.jobId} />}
          <Button size="compact-xs" variant="default" onClick={() => cancel(one.key)}>
            {t("common.cancel")}
          </Button>
        </span>
      ) : (
        <Dismiss one={one} />
      )}
    </div>
  );
}

/** What to know of the files of a slide that is ready. */
function Notices({ one }: { readonly one: Incoming }) {
  return (
    <ul className={styles.notices} aria-label={t("gallery.noticesOf", { name: one.name })}>
      {one.notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

/** The question that a file waits for; else the way to another image quality. */
function AskButton({ one }: { readonly one: Incoming }) {
  if (one.phase !== "held")
    return (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => chooseQualityOf(one.key)}
        aria-label={t("gallery.changeImageQualityOf", { name: one.name })}
      >
        {t("gallery.change")}
      </Button>
    );
  return (
    <Button
      size="compact-xs"
      variant="filled"
      onClick={one.storedAs.length > 0 ? askAboutStored : () => chooseQualityOf(one.key)}
    >
      {t("gallery.choose")}
    </Button>
  );
}

/** Only of what can be read, as far as that is known. */
function PreviewButton({ one, jobId }: { readonly one: Incoming; readonly jobId: string }) {
  const advice = useAdvice(jobId, false);
  const queued = useStore(incoming, (list) => list.some(({ phase }) => phase === "ingesting")); // else it is read in a moment
  const unread = one.phase === "waiting" ? !queued : one.phase === "ingesting" && one.progress === null;
  if (unread || advice.isFetching || isNoSlide(advice.error)) return null;
  return (
    <Button
      size="compact-xs"
      variant={one.phase === "held" ? "default" : undefined}
      onClick={() => navigate(`/incoming/${jobId}`)}
    >
      {t("common.preview")}
    </Button>
  );
}

function Dismiss({ one }: { readonly one: Incoming }) {
  const { slideId } = one;
  return (
    <span style={{ display: "inline-flex", gap: 8, alignItems: "center" }}>
      {slideId !== null && one.phase === "done" && (
        <Anchor component="button" size="sm" onClick={() => navigate(slidePath(slideId))}>
          {t("common.open")}
        </Anchor>
      )}
      <Tooltip label={t("gallery.removeFromList")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => dismiss(one.key)}
          aria-label={t("gallery.removeNamedFromList", { name: one.name })}
        >
          <IconX size={14} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}

function wordsFor(one: Incoming): string {
  const percent = one.progress === null ? null : Math.floor(one.progress * 100);
  const quality = QUALITY_NAMES[one.profile].toLowerCase();
  switch (one.phase) {
    case "sending":
      return percent === null ? t("gallery.uploading", { quality }) : t("gallery.uploadingPart", { percent, quality });
    case "held":
      return one.storedAs.length > 0 ? t("gallery.alreadyStored") : t("gallery.uploadedChooseQuality");
    case "waiting":
      return t("gallery.queued", { quality });
    case "ingesting":
      if (percent === null) return t("gallery.importing", { quality });
      return one.secondsLeft === null
        ? t("gallery.importingPart", { percent, quality })
        : t("gallery.importingLeft", { percent, quality, left: durationLabel(one.secondsLeft) });
    case "done":
      return t("gallery.ready");
    case "cancelled":
      return t("gallery.cancelled");
    case "failed":
      return one.reason ?? t("gallery.failed");
  }
}
