import { type Address, t } from "../../i18n/i18n";
import { ContractError, OfflineError, ProblemError } from "./errors";

/** What went wrong, in words for the user. */
export function explain(error: unknown): string {
  if (error instanceof OfflineError) return t("errors.offline");
  if (error instanceof ContractError) return t("errors.contract");
  if (error instanceof ProblemError) return problemText(error.problem, error.detail || error.title);
  return error instanceof Error ? error.message : String(error);
}

/** A problem of the service by its type, in the reader's language (LG5); `detail`: the service's words. */
export const problemText = (type: string, detail: string): string =>
  t(`problems.${type.replace("/problems/", "")}` as Address, { detail }, detail);
