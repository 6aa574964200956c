import { ActionIcon, Anchor, Button, Paper, Progress, Text, Tooltip } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useStore } from "zustand";
import { navigate, slidePath } from "../state/router";
import { showStoredFiles, chooseQualityOf } from "../quality/storing";
import { isNoSlide, useAdvice } from "../quality/useAdvice";
import { type Incoming, cancel, dismiss, incoming, tryAgain } from "../state/uploads";
import styles from "./gallery.module.css";
import { statusText } from "./incomingStatus";
import { t } from "@wavescope/core/i18n/i18n";

/** Uploads and ingest jobs, newest first. */
export function IncomingList() {
  const list = useStore(incoming);
  if (list.length === 0) return null;
  return (
    <Paper withBorder className={styles.incoming} component="section" aria-label={t("gallery.imports")}>
      {list.map((job) => (
        <IncomingRow key={job.key} job={job} />
      ))}
    </Paper>
  );
}

export function IncomingRow({ job }: { readonly job: Incoming }) {
  const held = job.phase === "held";
  const underway = held || job.phase === "sending" || job.phase === "waiting" || job.phase === "ingesting";
  const percent = job.progress === null ? 100 : job.progress * 100;
  const colour =
    job.phase === "failed" ? "red" : job.phase === "cancelled" ? "gray" : job.phase === "done" ? "teal" : undefined;
  return (
    <div className={styles.incomingRow} data-testid="incoming" data-phase={job.phase}>
      <Text size="sm" fw={500} truncate title={job.name}>
        {job.name}
      </Text>
      <div>
        <Text
          size="xs"
          c={job.phase === "failed" ? undefined : "dimmed"}
          className={job.phase === "failed" ? "failure" : undefined}
          role="status"
        >
          {statusText(job)}
        </Text>
        {job.notices.length > 0 && <Notices job={job} />}
        {underway && !held && (
          <Progress
            value={percent}
            color={colour}
            size="sm"
            mt={4}
            animated={job.progress === null}
            aria-label={t("gallery.progressOf", { name: job.name })}
          />
        )}
      </div>
      {underway ? (
        <span className={styles.incomingTools}>
          {isStopped(job) ? <TryAgain job={job} /> : !job.reencoding && <ChooseButton job={job} />}
          {job.jobId !== null && job.phase !== "sending" && !job.reencoding && (
            <PreviewButton job={job} jobId={job.jobId} />
          )}
          <Button size="compact-xs" variant="default" onClick={() => cancel(job.key)}>
            {t("common.cancel")}
          </Button>
        </span>
      ) : (
        <Dismiss job={job} />
      )}
    </div>
  );
}

/** What to know of the files of a slide that is ready. */
function Notices({ job }: { readonly job: Incoming }) {
  return (
    <ul className={styles.notices} aria-label={t("gallery.noticesOf", { name: job.name })}>
      {job.notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  );
}

/** Whether a fault of the machine has stopped the job, whose file is kept (WI135). */
const isStopped = (job: Incoming): boolean => job.phase === "held" && job.reason !== null;

function TryAgain({ job }: { readonly job: Incoming }) {
  return (
    <Button
      size="compact-xs"
      variant="filled"
      onClick={() => tryAgain(job.key)}
      aria-label={t("gallery.tryAgainNamed", { name: job.name })}
    >
      {t("common.tryAgain")}
    </Button>
  );
}

/** The question that a file waits for; else the way to another image quality. */
function ChooseButton({ job }: { readonly job: Incoming }) {
  if (job.phase !== "held")
    return (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => chooseQualityOf(job.key)}
        aria-label={t("gallery.changeImageQualityOf", { name: job.name })}
      >
        {t("gallery.change")}
      </Button>
    );
  return (
    <Button
      size="compact-xs"
      variant="filled"
      onClick={job.storedAs.length > 0 ? showStoredFiles : () => chooseQualityOf(job.key)}
    >
      {t("gallery.choose")}
    </Button>
  );
}

/** Only of what can be read, as far as that is known. */
function PreviewButton({ job, jobId }: { readonly job: Incoming; readonly jobId: string }) {
  const advice = useAdvice(jobId, false);
  const queued = useStore(incoming, (list) => list.some(({ phase }) => phase === "ingesting")); // else it is read in a moment
  const unread = job.phase === "waiting" ? !queued : job.phase === "ingesting" && job.progress === null;
  if (unread || advice.isFetching || isNoSlide(advice.error)) return null;
  return (
    <Button
      size="compact-xs"
      variant={job.phase === "held" ? "default" : undefined}
      onClick={() => navigate(`/incoming/${jobId}`)}
    >
      {t("common.preview")}
    </Button>
  );
}

function Dismiss({ job }: { readonly job: Incoming }) {
  const { slideId } = job;
  return (
    <span style={{ display: "inline-flex", gap: 8, alignItems: "center" }}>
      {slideId !== null && job.phase === "done" && (
        <Anchor component="button" size="sm" onClick={() => navigate(slidePath(slideId))}>
          {t("common.open")}
        </Anchor>
      )}
      <Tooltip label={t("gallery.removeFromList")}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => dismiss(job.key)}
          aria-label={t("gallery.removeNamedFromList", { name: job.name })}
        >
          <IconX size={14} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
