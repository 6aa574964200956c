/** What roles are called. */
import type { Role } from "@wavescope/core/wire/accounts/accountClient";
import { t } from "@wavescope/core/i18n/i18n";

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: t("accounts.roleViewer"),
  annotator: t("accounts.roleAnnotator"),
  instructor: t("accounts.roleInstructor"),
  admin: t("accounts.roleAdmin"),
};
