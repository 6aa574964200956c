/** What roles are called. */
import type { Role } from "../../wire/accounts/accountClient";
import { t } from "../../i18n/i18n";

export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: t("accounts.roleViewer"),
  annotator: t("accounts.roleAnnotator"),
  instructor: t("accounts.roleInstructor"),
  admin: t("accounts.roleAdmin"),
};
