/** New versions of stored slides that are being made, by slide; without React (wire/jobs.md, WI74). */
import { createStore } from "zustand/vanilla";
import { startReencoding } from "@wavescope/core/wire/catalog/advice";
import { cancelJob, listJobs } from "@wavescope/core/wire/catalog/catalogClient";
import { followJob } from "@wavescope/core/wire/catalog/followJob";
import { type Job, hasEnded } from "@wavescope/core/wire/catalog/jobs";
import { queryClient, refreshSlides } from "../../state/queries";
import { notify, notifyFailure } from "../../ui/notice";
import { qualityInText } from "../../quality/labels";
import { t } from "@wavescope/core/i18n/i18n";

/** The job of each slide that has one, until it has ended. */
export const reencoding = createStore<Readonly<Record<string, Job>>>(() => ({}));

/** Starts a job and follows it. */
export async function reencode(slideId: string, quality: string): Promise<void> {
  follow(slideId, await startReencoding(slideId, quality));
}

/** Follows the slide's job of an earlier visit or of another window, if there is one. */
export async function resume(slideId: string): Promise<void> {
  const jobs = await listJobs().catch(() => []);
  const found = jobs.find((job) => job.reencodes === slideId && !hasEnded(job));
  if (found && !(slideId in reencoding.getState())) follow(slideId, found);
}

export async function cancelReencoding(slideId: string): Promise<void> {
  const job = reencoding.getState()[slideId];
  if (job) await cancelJob(job.id);
}

function follow(slideId: string, job: Job): void {
  reencoding.setState({ [slideId]: job });
  followJob(job.id, (now) => {
    if (!hasEnded(now)) return reencoding.setState({ [slideId]: now });
    const others = Object.entries(reencoding.getState()).filter(([id]) => id !== slideId);
    reencoding.setState(Object.fromEntries(others), true);
    announce(slideId, now);
  });
}

/** The page shows the new version as soon as it is there; why there is none is a message. */
function announce(slideId: string, { state, filename, quality, error }: Job): void {
  if (state === "failed") notifyFailure(t("quality.notReduced"), error?.detail ?? "");
  if (state !== "done") return;
  notify(t("quality.reduced", { title: filename, quality: qualityInText(quality) }));
  void queryClient.invalidateQueries({ queryKey: ["manifest", slideId] });
  void refreshSlides(queryClient);
}
