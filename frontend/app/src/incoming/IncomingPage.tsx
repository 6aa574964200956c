import { Button, Center, Loader, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { warmUp } from "@wavescope/viewer/core/sources";
import { openPreview } from "@wavescope/core/wire/catalog/catalogClient";
import { followJob } from "@wavescope/core/wire/catalog/followJob";
import type { Job } from "@wavescope/core/wire/catalog/jobs";
import { Failure } from "../accounts/Failure";
import { ErrorPage } from "../ui/ErrorPage";
import { later } from "../ui/later/Later";
import { notify } from "../ui/notice";
import { errorOf } from "../state/queries";
import { keepOriginal } from "../state/quality";
import { LOCAL } from "../state/lookedAt";
import { chosenFor } from "../state/uploads";
import { navigate, slidePath } from "../state/router";
import { startJob } from "@wavescope/core/wire/catalog/advice";
import { QualityDialog } from "../quality/QualityDialog";
import { SlideView } from "../slide/page/SlideView";
import { durationLabel } from "../ui/format";
import styles from "../microscope/banner.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

const LocalPage = later(async () => (await import("../local/LocalPage")).LocalPage);

/** A slide that is not in the catalog: that of a job, or one in a file of this computer. */
export function IncomingPage({ id }: { readonly id: string }) {
  return id === LOCAL ? <LocalPage /> : <JobPage id={id} />;
}

/** A slide that is still being ingested, drawn from its source file; becomes the slide itself as soon as that is there. */
function JobPage({ id }: { readonly id: string }) {
  useEffect(warmUp, []);
  const [job, setJob] = useState<Job | null>(null);
  useEffect(() => followJob(id, setJob), [id]);
  const done = job?.state === "done" ? job : null;
  useEffect(() => {
    if (!done || done.slideId === null) return;
    for (const notice of done.notices) notify(notice);
    navigate(slidePath(done.slideId), {}, { replace: true, hash: location.hash });
  }, [done]);
  const preview = useQuery({
    queryKey: ["preview", id],
    queryFn: ({ signal }) => openPreview(id, signal),
    staleTime: Infinity,
    gcTime: 0,
  });
  usePageTitle(preview.data && t("incoming.pageTitle", { title: preview.data.title }));
  const error = preview.data ? null : errorOf(preview);
  const ended = job?.state === "failed" || job?.state === "cancelled";
  if (preview.data && !ended)
    return (
      <SlideView manifest={preview.data} onReload={() => void preview.refetch()}>
        <PreviewBanner job={job} />
      </SlideView>
    );
  return (
    <Center component="main" mih="100dvh" p="md">
      {ended ? (
        <EndedImport job={job} />
      ) : error ? (
        <Failure error={error} thing="preview" />
      ) : (
        <Loader aria-label={t("incoming.openingPreview")} />
      )}
    </Center>
  );
}

function EndedImport({ job }: { readonly job: Job }) {
  const cancelled = job.state === "cancelled";
  return (
    <ErrorPage
      title={t("incoming.notImported", { filename: job.filename })}
      reason={cancelled ? t("incoming.cancelled") : (job.error?.detail ?? t("incoming.failed"))}
      kind={cancelled ? "missing" : "fault"}
    />
  );
}

function PreviewBanner({ job }: { readonly job: Job | null }) {
  const [choosing, setChoosing] = useState(false);
  const held = job?.state === "held";
  return (
    <div className={styles.banner} role="status" data-testid="preview-banner">
      <Text size="sm" fw={600} span>
        {t("common.preview")}
      </Text>
      <Text size="sm" span ms={4}>
        {t("incoming.previewHint", { progress: progressOf(job) })}
      </Text>
      {held && (
        <Button size="compact-sm" ms="sm" onClick={() => setChoosing(true)}>
          {t("common.importSlide")}
        </Button>
      )}
      {held && choosing && (
        <QualityDialog
          name={job.filename}
          jobId={job.id}
          qualities={job}
          time={job.time}
          started={false}
          onChoose={(choice) =>
            startJob(job.id, chosenFor(job, choice), { keepOriginal: keepOriginal(), time: choice.time })
          }
          onClose={() => setChoosing(false)}
        />
      )}
    </div>
  );
}

function progressOf(job: Job | null): string {
  if (job?.state === "held") return job.error?.detail ?? t("incoming.notImportedYet");
  if (!job || job.total === 0) return t("incoming.queued");
  const percent = Math.floor((100 * job.done) / job.total);
  return job.secondsLeft === null
    ? t("incoming.importing", { percent })
    : t("incoming.importingLeft", { percent, left: durationLabel(job.secondsLeft) });
}
