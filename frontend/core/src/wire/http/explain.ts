import { t } from "../../i18n/i18n";
import { ContractError, OfflineError, ProblemError } from "./errors";

const TEXTS: Readonly<Record<string, string>> = {
  "sign-in-required": t("errors.signInRequired"),
  "wrong-credentials": t("errors.wrongCredentials"),
  "wrong-code": t("errors.wrongCode"),
  "second-factor-required": t("errors.secondFactorRequired"),
  "wrong-passcode": t("errors.wrongPasscode"),
  "credentials-expired": t("errors.credentialsExpired"),
  "name-taken": t("errors.nameTaken"),
  forbidden: t("errors.forbidden"),
};

/** What went wrong, in words for the user. */
export function explain(error: unknown): string {
  if (error instanceof OfflineError) return t("errors.offline");
  if (error instanceof ContractError) return t("errors.contract");
  if (error instanceof ProblemError) return TEXTS[error.problem] ?? (error.detail || error.title);
  return error instanceof Error ? error.message : String(error);
}
