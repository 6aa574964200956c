/** Which slide the page opens: the folder that it is in, the file that its address names, or one that the user gives it (SH5, SH7). */
import { openArchive } from "@wavescope/core/wire/files/archive";
import { SlideFileError } from "@wavescope/core/wire/files/errors";
import type { FileFault } from "@wavescope/core/wire/files/errors";
import { httpFile, httpFolder } from "@wavescope/core/wire/files/http";
import { localFile } from "@wavescope/core/wire/files/localFile";
import { type ExportedSlide, openExport } from "@wavescope/core/wire/files/open";
import { CorruptError, OfflineError } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { t } from "@wavescope/core/i18n/i18n";

/** What `?file=` names, as an address; null: the page's own folder. Throws SlideFileError for what is no address of the web. */
export function fileInAddress(address: string): string | null {
  const { searchParams, href } = new URL(address);
  const named = searchParams.get("file");
  if (named === null) return null;
  const url = URL.parse(named, href);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new SlideFileError("missing", `${named}: no address`);
  return url.href;
}

/** Opens what the address of the page names. Throws as `openExport`. */
export async function openFromAddress(address: string): Promise<ExportedSlide> {
  const file = fileInAddress(address);
  const folder = file === null ? httpFolder(new URL(".", address).href) : await openArchive(httpFile(file));
  return openExport(folder);
}

/** Opens a file of this computer. Throws as `openExport`. */
export async function openLocal(file: File): Promise<ExportedSlide> {
  return openExport(await openArchive(localFile(file)));
}

const FAULTS: Readonly<Record<FileFault, string>> = {
  missing: t("exported.missing"),
  "no-ranges": t("exported.noRanges"),
  truncated: t("exported.malformed"),
  malformed: t("exported.malformed"),
  "too-large": t("exported.tooLarge"),
  unsupported: t("exported.unsupported"),
};

/** Why a slide cannot be opened, in words for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof SlideFileError) return FAULTS[error.fault];
  if (error instanceof OfflineError) return t("exported.offline");
  if (error instanceof CorruptError) return t("exported.malformed");
  return explain(error);
}
