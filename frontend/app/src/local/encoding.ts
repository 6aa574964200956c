/** What becomes of a file that is encoded here: an upload, or a file of the user's (LI25). */
import {
  type EncodedSlide,
  type EncodingChoice,
  type Progress,
  encodeLocal,
  fileName,
} from "@wavescope/core/local/encoding/encodeLocal";
import { isAbort } from "@wavescope/core/wire/http/errors";
import { loadModule } from "@wavescope/viewer/core/sources";
import { incoming, sendFiles } from "../state/uploads";

/** A file that the user chose; "download": the browser chooses its place. */
export type Target = "upload" | "download" | FileSystemFileHandle;

type Picker = (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;

/** Asks where to save, before anything is encoded: a browser lets a page ask only after a click. Null: cancelled. */
export async function targetFile(title: string): Promise<Target | null> {
  const { showSaveFilePicker } = window as unknown as { readonly showSaveFilePicker?: Picker };
  if (!showSaveFilePicker) return "download";
  return showSaveFilePicker({ suggestedName: fileName(title) }).catch((error: unknown) => {
    if (isAbort(error)) return null;
    throw error;
  });
}

/** Encodes, then saves, or begins the upload, which goes on by itself. Throws as `encodeLocal`, and if the file cannot be written. */
export async function encodeTo(
  target: Target,
  file: File,
  choice: EncodingChoice,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<void> {
  const encoded = await encodeLocal(file, choice, await loadModule(), onProgress, signal);
  if (target === "upload") return upload(encoded);
  if (target === "download") return download(encoded);
  try {
    await encoded.file.stream().pipeTo(await target.createWritable(), { signal });
  } finally {
    encoded.remove();
  }
}

/** The file is there until the service has all of it: an upload that is broken sends the rest later (WI95). */
function upload(encoded: EncodedSlide): void {
  const [key] = sendFiles([encoded.file]);
  const stop = incoming.subscribe((entries) => {
    const entry = entries.find((one) => one.key === key);
    if (entry?.phase === "sending" || (entry?.phase === "waiting" && entry.jobId === null)) return;
    stop();
    encoded.remove();
  });
}

/** Of a browser in which a page cannot write a file; it reads the file while the page is open. */
function download({ file, remove }: EncodedSlide): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  addEventListener("pagehide", remove, { once: true });
}
