/** Cases and collections (wire/catalog.md, WI40-WI43). */
import { getJson, part, sendJson } from "../http/api";
import { type SlideSummary, parseSummary } from "../slides/manifest";
import { asArray, asObject, text, textOrNull, whole } from "../http/shape";

export type CaseKind = "case" | "collection";

interface CaseHead {
  readonly id: string;
  readonly title: string;
  readonly kind: CaseKind;
  readonly revision: number;
}

export interface CaseSummary extends CaseHead {
  readonly slides: number;
  readonly thumbnail: string | null;
}

export interface Case extends CaseHead {
  readonly slides: readonly SlideSummary[];
}

function parseHead(value: unknown): CaseHead {
  const from = asObject(value, "case");
  const kind = text(from, "kind") === "collection" ? "collection" : "case";
  return { id: text(from, "id"), title: text(from, "title"), kind, revision: whole(from, "revision", 1) };
}

export function parseCase(value: unknown): Case {
  const slides = asArray(asObject(value, "case").slides, "slides").map(parseSummary);
  return { ...parseHead(value), slides };
}

function parseCaseSummary(value: unknown): CaseSummary {
  const from = asObject(value, "case");
  return { ...parseHead(value), slides: whole(from, "slides"), thumbnail: textOrNull(from, "thumbnail") };
}

const url = (id: string): string => `/cases/${part(id)}`;

export async function listCases(signal?: AbortSignal): Promise<CaseSummary[]> {
  return asArray(asObject(await getJson("/cases", signal), "cases").cases, "cases").map(parseCaseSummary);
}

export async function readCase(id: string, signal?: AbortSignal): Promise<Case> {
  return parseCase(await getJson(url(id), signal));
}

export async function createCase(title: string, kind: CaseKind, slides: readonly string[]): Promise<Case> {
  return parseCase(await sendJson("POST", "/cases", { title, kind, slides }));
}

export async function changeCase(id: string, change: { title?: string; kind?: CaseKind }): Promise<Case> {
  return parseCase(await sendJson("PATCH", url(id), change));
}

export async function deleteCase(id: string): Promise<void> {
  await sendJson("DELETE", url(id));
}

export async function addToCase(id: string, slides: readonly string[]): Promise<Case> {
  return parseCase(await sendJson("POST", `${url(id)}/slides`, { slides }));
}

export async function removeFromCase(id: string, slide: string): Promise<Case> {
  return parseCase(await sendJson("DELETE", `${url(id)}/slides/${part(slide)}`));
}

/** All slides in their order; refused if the case was changed since `revision`. */
export async function arrangeCase(id: string, slides: readonly string[], revision: number): Promise<Case> {
  return parseCase(await sendJson("PUT", `${url(id)}/slides`, { slides }, revision));
}
