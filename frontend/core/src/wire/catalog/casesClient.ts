/** Cases and collections (wire/catalog.md, WI40-WI43). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";
import { type SlideSummary, summaryOf } from "../slides/manifest";

export type CaseKind = Wire.CaseBody["kind"];
export type CaseSummary = Fixed<Wire.CaseSummary>;

/** A slide of a case: its number there, and whether a right to the case is a right to it. */
export interface CaseSlide extends SlideSummary {
  readonly number: number;
  readonly shared: boolean;
}

export interface Case extends Omit<Fixed<Wire.CaseBody>, "slides" | "description"> {
  /** Markdown. */
  readonly description: string;
  readonly slides: readonly CaseSlide[];
}

const caseOf = (body: Wire.CaseBody): Case => ({
  ...body,
  description: body.description ?? "", // an older service has none
  slides: body.slides.map((slide) => ({ ...summaryOf(slide), number: slide.number, shared: slide.shared })),
});

export async function listCases(signal?: AbortSignal): Promise<readonly CaseSummary[]> {
  return (await call("GET /cases", { signal })).cases;
}

export async function readCase(id: string, signal?: AbortSignal): Promise<Case> {
  return caseOf(await call("GET /cases/{case_id}", { path: { case_id: id }, signal }));
}

export async function createCase(body: Wire.NewCase): Promise<Case> {
  return caseOf(await call("POST /cases", { body }));
}

export async function changeCase(id: string, change: Wire.CaseChange): Promise<Case> {
  return caseOf(await call("PATCH /cases/{case_id}", { path: { case_id: id }, body: change }));
}

export async function deleteCase(id: string): Promise<void> {
  await call("DELETE /cases/{case_id}", { path: { case_id: id } });
}

export async function addToCase(id: string, slides: readonly string[]): Promise<Case> {
  return caseOf(await call("POST /cases/{case_id}/slides", { path: { case_id: id }, body: { slides } }));
}

export async function removeFromCase(id: string, slide: string): Promise<Case> {
  return caseOf(await call("DELETE /cases/{case_id}/slides/{slide_id}", { path: { case_id: id, slide_id: slide } }));
}

/** All slides in their order; refused if the case was changed since `revision`. */
export async function arrangeCase(id: string, slides: readonly string[], revision: number): Promise<Case> {
  return caseOf(await call("PUT /cases/{case_id}/slides", { path: { case_id: id }, body: { slides }, revision }));
}
