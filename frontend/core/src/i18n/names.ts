/** What the service names in English, such as details of the audit log, metrics and experiments, in the language of the page (LG5). */
import { type Address, t } from "./i18n";

/** By the area `names`; `otherwise` where that lacks it, as in English. */
export const ownName = (name: string, otherwise = name): string =>
  t(`names.${name.replace(/[^A-Za-z0-9]+/g, "-")}` as Address, {}, otherwise);
