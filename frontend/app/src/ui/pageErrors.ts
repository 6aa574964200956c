/** Why something cannot be shown, in the words of a person. Pure. */
import type { Account, Role } from "@wavescope/core/wire/accounts/accountClient";
import { ProblemError, mayRecover } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { t } from "@wavescope/core/i18n/i18n";
import { ROLE_NAMES } from "./roles";

export type Thing = "slide" | "tour" | "case" | "recording" | "preview" | "session";

/** `waiting`: it may come by itself; `sign-in`: an account may help. */
export interface PageError {
  readonly kind: "missing" | "forbidden" | "sign-in" | "waiting" | "fault";
  readonly title: string;
  readonly reason: string;
}

/** As in "this slide". */
const NAMES: Readonly<Record<Thing, string>> = {
  slide: t("ui.thingSlide"),
  tour: t("ui.thingTour"),
  case: t("ui.thingCase"),
  recording: t("ui.thingRecording"),
  preview: t("ui.thingPreview"),
  session: t("ui.thingSession"),
};

const NOT_FOUND: Readonly<Record<Thing, string>> = {
  slide: t("ui.slideNotFound"),
  tour: t("ui.tourNotFound"),
  case: t("ui.caseNotFound"),
  recording: t("ui.recordingNotFound"),
  preview: t("ui.previewNotFound"),
  session: t("join.noSuchSession"),
};

const GONE: Readonly<Record<Thing, string>> = {
  slide: t("ui.mayBeDeleted"),
  tour: t("ui.tourMayBeDeleted"),
  case: t("ui.mayBeDeleted"),
  recording: t("ui.mayBeDeleted"),
  preview: t("ui.importGone"),
  session: t("ui.sessionMayHaveEnded"),
};

export const WAITING: PageError = {
  kind: "waiting",
  title: t("common.serviceOffline"),
  reason: t("ui.tryingAgain"),
};

/** `account`: of the person at the page, undefined if it is not known yet. */
export function pageErrorOf(error: unknown, thing: Thing, account: Account | undefined): PageError {
  if (mayRecover(error)) return WAITING;
  const status = error instanceof ProblemError ? error.status : null;
  const hasAccounts = account?.mode === "accounts";
  const name = NAMES[thing];
  if (status === 401)
    return { kind: "sign-in", title: t("ui.signInToSeeThis", { name }), reason: t("ui.accountNeeded") };
  if (status === 403)
    return {
      kind: "forbidden",
      title: t("ui.notAllowedThis", { name }),
      reason: t("ui.notShared"),
    };
  if (status === 404) {
    const reason =
      hasAccounts && thing !== "session" && thing !== "preview"
        ? t(thing === "tour" ? "ui.tourGoneOrNotShared" : "ui.goneOrNotShared")
        : GONE[thing];
    return {
      kind: hasAccounts && !account.user ? "sign-in" : "missing",
      title: NOT_FOUND[thing],
      reason,
    };
  }
  return { kind: "fault", title: t("ui.cannotBeShown", { name }), reason: explain(error) };
}

const PEOPLE: Readonly<Record<Role, string>> = {
  viewer: t("ui.peopleWithAccount"),
  annotator: t("ui.annotatorsAndInstructors"),
  instructor: t("ui.instructors"),
  admin: t("ui.administrators"),
};

/** Of a page for some roles only: `name` as in "the audit log". */
export function roleErrorOf(name: string, least: Role, account: Account): PageError {
  if (account.user === null)
    return {
      kind: "sign-in",
      title: t("ui.signInToSee", { name }),
      reason: t("ui.shownTo", { people: PEOPLE[least] }),
    };
  return {
    kind: "forbidden",
    title: t("ui.notAllowed", { name }),
    reason: t("ui.shownToOthers", {
      people: PEOPLE[least],
      title: account.user.title,
      role: ROLE_NAMES[account.user.role],
    }),
  };
}
