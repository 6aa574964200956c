/** The code of a live session as people type it (session.md, section 1). Pure. */

import { t } from "@wavescope/core/i18n/i18n";
const CODE = /^[2-9A-HJKMNP-TV-Z]{8}$/;

/** What was typed or pasted as a code: capitals and digits alone; of a whole link its code. */
export function plainCode(typed: string): string {
  const linked = /\/join\/([^/?#\s]+)/.exec(typed);
  return (linked?.[1] ?? typed).replace(/[\s-]/g, "").toUpperCase();
}

/** What is wrong with a code, in words; null: it may be one. */
export function faultOf(code: string): string | null {
  if (CODE.test(code)) return null;
  const invalid = /[^2-9A-HJKMNP-TV-Z]/.exec(code);
  if (invalid && /[01ILOU]/.test(invalid[0])) return t("join.unusedSign", { wrong: invalid[0] });
  return invalid ? t("join.wrongSign") : t("join.wrongLength", { count: code.length });
}
