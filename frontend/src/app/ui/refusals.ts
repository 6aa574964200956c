/** Why something cannot be shown, in the words of a person. Pure. */
import type { Account, Role } from "../../wire/accounts/accountClient";
import { ProblemError, explain, mayRecover } from "../../wire/http/errors";

export type Thing = "slide" | "tour" | "case" | "recording" | "preview" | "session";

/** `waiting`: it may come by itself; `sign-in`: an account may help. */
export interface Refused {
  readonly kind: "missing" | "forbidden" | "sign-in" | "waiting" | "fault";
  readonly title: string;
  readonly reason: string;
}

const GONE: Readonly<Record<Thing, string>> = {
  slide: "It may have been deleted.",
  tour: "It may have been deleted, or its slide was.",
  case: "It may have been deleted.",
  recording: "It may have been deleted.",
  preview: "The import has ended, or its file was removed.",
  session: "It may have ended, or the code was mistyped.",
};

export const WAITING: Refused = {
  kind: "waiting",
  title: "The service does not answer",
  reason: "Trying again by itself.",
};

/** `account`: of the person at the page, undefined if it is not known yet. */
export function refusalOf(error: unknown, thing: Thing, account: Account | undefined): Refused {
  if (mayRecover(error)) return WAITING;
  const status = error instanceof ProblemError ? error.status : null;
  const stranger = account?.mode === "accounts";
  if (status === 401)
    return { kind: "sign-in", title: `Sign in to see this ${thing}`, reason: "It is shown to people with an account." };
  if (status === 403)
    return {
      kind: "forbidden",
      title: `You cannot see this ${thing}`,
      reason: "It is not shared with you. Its owner can change that.",
    };
  if (status === 404) {
    const reason =
      stranger && thing !== "session" && thing !== "preview"
        ? `${GONE[thing].slice(0, -1)}, or it is not shared with you. ${LINK}`
        : GONE[thing];
    return { kind: stranger && !account.user ? "sign-in" : "missing", title: `There is no such ${thing}`, reason };
  }
  return { kind: "fault", title: `The ${thing} cannot be shown`, reason: explain(error) };
}

const LINK = "If a link led you here, it may have ended: ask the person who sent it.";

const PEOPLE: Readonly<Record<Role, string>> = {
  viewer: "people with an account",
  annotator: "annotators and instructors",
  instructor: "instructors",
  admin: "administrators",
};

/** Of a page for some roles only: `name` as in "the audit log". */
export function roleRefusal(name: string, least: Role, account: Account): Refused {
  if (account.user === null)
    return { kind: "sign-in", title: `Sign in to see ${name}`, reason: `It is shown to ${PEOPLE[least]}.` };
  return {
    kind: "forbidden",
    title: `You cannot see ${name}`,
    reason: `It is shown to ${PEOPLE[least]}. You are signed in as ${account.user.title}, ${account.user.role}.`,
  };
}
