/** The audit log (security.md, PR35). */
import type * as Wire from "../generated/types";
import { ownName } from "../../i18n/names";
import { API, call } from "../http/api";

export interface AuditEntry {
  readonly sequence: number;
  readonly time: string;
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  readonly action: string;
  readonly slide: string | null;
  /** Of the slide, or of the session, at the time (PR37); null: the entry does not say. */
  readonly title: string | null;
  /** The name of the file that was uploaded, exported or downloaded. */
  readonly file: string | null;
  /** All else. */
  readonly detail: string;
}

export interface AuditPageView {
  readonly entries: readonly AuditEntry[];
  /** Asks for the next page; null: there is none. */
  readonly before: number | null;
  readonly actions: readonly string[];
}

export interface AuditFilter {
  readonly action: string;
  /** An id, or a part of a title or of a file's name. */
  readonly slide: string;
  readonly name: string;
  /** Local day, YYYY-MM-DD. */
  readonly since: string;
}

export async function listAudit(
  filter: AuditFilter,
  before: number | null,
  signal?: AbortSignal,
): Promise<AuditPageView> {
  const query = { ...queryOf(filter), before: before ?? undefined };
  const page = await call("GET /audit", { query, signal });
  return { ...page, entries: page.entries.map(entryOf) };
}

/** Where the whole log of a filter is downloaded. */
export const auditFile = (filter: AuditFilter): string => `${API}/audit.ndjson?${new URLSearchParams(queryOf(filter))}`;

function queryOf({
  action,
  slide,
  name,
  since,
}: AuditFilter): Partial<Record<"action" | "slide" | "name" | "since", string>> {
  const texts = Object.entries({ action, slide, name }).map(([key, value]) => [key, value.trim()] as const);
  const filled = Object.fromEntries(texts.filter(([, value]) => value));
  return since ? { ...filled, since: new Date(`${since}T00:00`).toISOString() } : filled;
}

function entryOf({ detail, ...entry }: Wire.AuditEntryView): AuditEntry {
  const { title = null, file = null, ...rest } = detail as Record<string, string | number | null | undefined>;
  const named = Object.entries(rest).filter(([key]) => !key.endsWith("_id")); // the names stand beside them
  return {
    ...entry,
    title: title === null ? null : String(title),
    file: file === null ? null : String(file),
    detail: named
      .map(([key, value]) => `${ownName(key, key.replaceAll("_", " "))}: ${ownName(String(value))}`)
      .join(", "),
  };
}
