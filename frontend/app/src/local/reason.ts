/** Why a file could not be encoded, in words for the user. */
import { EncodingError } from "@wavescope/core/local/encoding/encodeLocal";
import { reasonOf as reasonOfFile } from "@wavescope/core/local/localSlide";
import { SlideFileError } from "@wavescope/core/wire/files/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { t } from "@wavescope/core/i18n/i18n";

export function reasonOf(error: unknown): string {
  if (error instanceof EncodingError) return error.storageFull ? t("incoming.storageFull") : error.message;
  return error instanceof SlideFileError ? reasonOfFile(error) : explain(error);
}
