import type { Address } from "../../i18n/i18n";

/**
 * Problems that the page explains in words of its own in English too, which come with the first part that is loaded later: of others the
 * service's words say more.
 */
export const OWN_WORDS: readonly Address[] = [
  "problems.credentials-expired",
  "problems.forbidden",
  "problems.name-taken",
  "problems.second-factor-required",
  "problems.sign-in-required",
  "problems.wrong-code",
  "problems.wrong-credentials",
  "problems.wrong-passcode",
];
