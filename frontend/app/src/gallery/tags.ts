/** Tags as the rows of a form. */
export interface TagRow {
  readonly key: string;
  readonly value: string;
}

export const SUGGESTED: readonly string[] = ["stain", "organ", "diagnosis", "block"];

type Tags = Readonly<Record<string, string>>;

/** The tags there are, and empty values for the suggested ones. */
export function rowsOf(tags: Tags): TagRow[] {
  const known = Object.entries(tags).map(([key, value]) => ({ key, value }));
  return [...known, ...SUGGESTED.filter((key) => !(key in tags)).map((key) => ({ key, value: "" }))];
}

/** What to tell the service: new values, and null for what is no longer there. */
export function changesOf(tags: Tags, rows: readonly TagRow[]): Record<string, string | null> {
  const given = rows.map(({ key, value }) => [key.trim(), value.trim()] as const);
  const wanted: Tags = Object.fromEntries(given.filter(([key, value]) => key && value));
  const gone = Object.keys(tags).filter((key) => !(key in wanted));
  const set = Object.entries(wanted).filter(([key, value]) => tags[key] !== value);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(set) };
}
