/** A file of this computer that the user has given to the page: nothing of it leaves the computer (SH7). */
import { OfflineError } from "../http/errors";
import { SlideFileError } from "./errors";
import type { RangeFile } from "./folder";

export function localFile(file: Pick<File, "name" | "size" | "slice">): RangeFile {
  return {
    name: file.name,
    size: () => Promise.resolve(file.size),
    read: async (from, to, signal) => {
      if (to > file.size) throw new SlideFileError("truncated", `${file.name}: it ends at byte ${file.size}`);
      signal?.throwIfAborted();
      try {
        return new Uint8Array(await file.slice(from, to).arrayBuffer());
      } catch (cause) {
        throw new OfflineError(`${file.name} cannot be read any more`, { cause }); // it was moved or changed
      } finally {
        signal?.throwIfAborted();
      }
    },
  };
}
