/** Sending a file of shapes or a raster that becomes an overlay of a slide (overlays.md, OV54), in an upload that can be resumed. */
import { followJob } from "./followJob";
import { type Job, hasEnded } from "./jobs";
import { type OnProgress, send } from "./resumableUpload";

export interface NewOverlay {
  readonly slide: string;
  readonly file: File;
  readonly name: string;
  /** The measurement that is the score; empty: none. */
  readonly score: string;
  /** What a picture of numbers becomes: "values", "labels" or "shapes"; empty: found from the file. */
  readonly content: string;
  /** The part of a ZIP archive of a SpatialData or OME-Zarr that is read, such as "shapes/cells"; empty: all. */
  readonly element: string;
}

/** The job that imported it, once it has ended. `sent`: bytes that the service has; `imported`: the job as it goes on. */
export async function addOverlay(
  { slide, file, name, score, content, element }: NewOverlay,
  sent: OnProgress,
  imported: (job: Job) => void,
  signal: AbortSignal,
): Promise<Job> {
  const metadata = { filename: file.name, overlay_of: slide, title: name, score, content, element };
  const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ""));
  const job = await send(file, given, sent, () => undefined, signal);
  if (hasEnded(job)) return job;
  return new Promise((resolve) =>
    followJob(job.id, (now) => {
      imported(now);
      if (hasEnded(now)) resolve(now);
    }),
  );
}
