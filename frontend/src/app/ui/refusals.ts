/** Why something cannot be shown, in the words of a person. Pure. */
import type { Account, Role } from "../../wire/accounts/accountClient";
import { ProblemError, explain, mayRecover } from "../../wire/http/errors";
import { t } from "../../i18n/i18n";

export type Thing = "slide" | "tour" | "case" | "recording" | "preview" | "session";

/** `waiting`: it may come by itself; `sign-in`: an account may help. */
export interface Refused {
  readonly kind: "missing" | "forbidden" | "sign-in" | "waiting" | "fault";
  readonly title: string;
  readonly reason: string;
}

const GONE: Readonly<Record<Thing, string>> = {
  slide: t("ui.itMayHaveBeenDeleted"),
  tour: t("ui.itMayHaveBeenDeletedOr"),
  case: t("ui.itMayHaveBeenDeleted"),
  recording: t("ui.itMayHaveBeenDeleted"),
  preview: t("ui.theImportHasEndedOr"),
  session: t("ui.itMayHaveEndedOr"),
};

export const WAITING: Refused = {
  kind: "waiting",
  title: t("common.theServiceDoesNotAnswer"),
  reason: t("ui.tryingAgainByItself"),
};

/** `account`: of the person at the page, undefined if it is not known yet. */
export function refusalOf(error: unknown, thing: Thing, account: Account | undefined): Refused {
  if (mayRecover(error)) return WAITING;
  const status = error instanceof ProblemError ? error.status : null;
  const stranger = account?.mode === "accounts";
  if (status === 401)
    return { kind: "sign-in", title: t("ui.signInSeeThisThing", { thing }), reason: t("ui.itShownPeopleWithAccount") };
  if (status === 403)
    return {
      kind: "forbidden",
      title: t("ui.youCannotSeeThisThing", { thing }),
      reason: t("ui.itNotSharedWithYou"),
    };
  if (status === 404) {
    const reason =
      stranger && thing !== "session" && thing !== "preview"
        ? t("ui.goneOrItNotShared", { gone: GONE[thing].slice(0, -1), link: LINK })
        : GONE[thing];
    return {
      kind: stranger && !account.user ? "sign-in" : "missing",
      title: t("ui.thereNoSuchThing", { thing }),
      reason,
    };
  }
  return { kind: "fault", title: t("ui.theThingCannotBeShown", { thing }), reason: explain(error) };
}

const LINK = t("ui.ifLinkLedYouHere");

const PEOPLE: Readonly<Record<Role, string>> = {
  viewer: t("ui.peopleWithAccount"),
  annotator: t("ui.annotatorsAndInstructors"),
  instructor: "instructors",
  admin: "administrators",
};

/** Of a page for some roles only: `name` as in "the audit log". */
export function roleRefusal(name: string, least: Role, account: Account): Refused {
  if (account.user === null)
    return {
      kind: "sign-in",
      title: t("ui.signInSeeName", { name }),
      reason: t("ui.itShownPeople", { people: PEOPLE[least] }),
    };
  return {
    kind: "forbidden",
    title: t("ui.youCannotSeeName", { name }),
    reason: t("ui.itShownPeopleYouSigned", {
      people: PEOPLE[least],
      title: account.user.title,
      role: account.user.role,
    }),
  };
}
