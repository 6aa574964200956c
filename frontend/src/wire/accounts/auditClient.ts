/** The audit log (security.md, PR35). */
import { API, getJson } from "../http/api";
import { asArray, asObject, numberOrNull, text, textOrNull, whole } from "../http/shape";

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
  const query = queryOf(filter);
  if (before !== null) query.set("before", String(before));
  const from = asObject(await getJson(`/audit?${query}`, signal), "audit log");
  return {
    entries: asArray(from.entries, "entries").map(parseEntry),
    before: numberOrNull(from, "before"),
    actions: asArray(from.actions, "actions").map(String),
  };
}

/** Where the whole log of a filter is downloaded. */
export const auditFile = (filter: AuditFilter): string => `${API}/audit.ndjson?${queryOf(filter)}`;

function queryOf({ action, slide, name, since }: AuditFilter): URLSearchParams {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries({ action, slide, name })) if (value.trim()) query.set(key, value.trim());
  if (since) query.set("since", new Date(`${since}T00:00`).toISOString());
  return query;
}

function parseEntry(value: unknown): AuditEntry {
  const from = asObject(value, "entry");
  const { title = null, file = null, ...rest } = asObject(from.detail, "detail");
  const detail = Object.entries(rest).map(([key, told]) => `${key}: ${String(told)}`);
  return {
    sequence: whole(from, "sequence"),
    time: text(from, "time"),
    kind: text(from, "kind"),
    name: text(from, "name"),
    address: text(from, "address"),
    action: text(from, "action"),
    slide: textOrNull(from, "slide"),
    title: title === null ? null : String(title),
    file: file === null ? null : String(file),
    detail: detail.join(", "),
  };
}
