/** What of the audit log is shown, as the address says it (`?name=&action=&slide=&since=`). Pure. */
import type { AuditFilter } from "@wavescope/core/wire/accounts/auditClient";
import type { Query } from "../state/router";

const KEYS = ["name", "action", "slide", "since"] as const;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const LONGEST = { name: 200, action: 40, slide: 128, since: 10 } as const;

export function filterIn(search: string): AuditFilter {
  const query = new URLSearchParams(search);
  const text = (key: keyof typeof LONGEST): string => (query.get(key) ?? "").slice(0, LONGEST[key]);
  const since = text("since");
  const named = { name: text("name"), action: text("action"), slide: text("slide") };
  return { ...named, since: DAY.test(since) && !Number.isNaN(Date.parse(since)) ? since : "" };
}

export function filterQuery(filter: AuditFilter): Query {
  return Object.fromEntries(KEYS.filter((key) => filter[key] !== "").map((key) => [key, filter[key]]));
}
