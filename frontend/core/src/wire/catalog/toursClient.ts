/** Guided tours as the service stores them (tours.md). */
import { t } from "../../i18n/i18n";
import type { Fault } from "../generated/contract";
import { Tour as isTour } from "../generated/laterValidators";
import type * as Wire from "../generated/types";
import { call, part } from "../http/api";
import { FileError } from "../http/errors";
import type { Fixed, Json } from "../http/json";

export type MarkKind = Wire.Mark["kind"];
export const MARK_KINDS: readonly MarkKind[] = ["point", "rectangle", "ellipse", "arrow"];

/** Drawn for one waypoint (TO7). */
export interface Mark {
  readonly kind: MarkKind;
  readonly l0_x: number;
  readonly l0_y: number;
  readonly l0_width: number;
  readonly l0_height: number;
  readonly text: string;
}

export interface Waypoint {
  readonly id: string;
  readonly title: string;
  /** Markdown. */
  readonly text: string;
  /** Null: the slide the tour belongs to. */
  readonly slide: string | null;
  readonly view: Json;
  readonly annotations: readonly string[];
  readonly marks: readonly Mark[];
}

/** The document, as in a file (TO1-TO3). */
export interface Tour {
  readonly title: string;
  readonly text: string;
  readonly waypoints: readonly Waypoint[];
}

export interface StoredTour {
  readonly id: string;
  readonly slideId: string | null;
  readonly caseId: string | null;
  readonly revision: number;
  readonly tour: Tour;
}

export interface TourSummary {
  readonly id: string;
  readonly title: string;
  readonly revision: number;
  readonly waypoints: number;
}

export type TourOwner = { readonly slide: string } | { readonly case: string };

/** The tour in a file's JSON. Throws FileError. */
export function parseTour(document: unknown): Tour {
  const { format, version } = Object(document) as { format?: string; version?: string | number };
  if (format !== "wavescope-tour") throw new FileError(t("errors.notATour"));
  if (version === undefined) throw new FileError(t("errors.invalidTour"));
  if (version !== 1) throw new FileError(t("errors.tourVersion", { version: String(version) }));
  if (!isTour(document)) throw new FileError(faultWords(isTour.errors?.[0]));
  return tourOf(document);
}

/** The tour in the text of a file. Throws FileError. */
export function readTourFile(text: string): Tour {
  return parseTour(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new FileError(t("errors.notATour"), { cause });
  }
}

const faultWords = (fault: Fault | undefined): string =>
  fault?.instancePath ? t("errors.invalidTourAt", { path: fault.instancePath }) : t("errors.invalidTour");

function tourOf({ title, text = "", waypoints = [] }: Wire.Tour): Tour {
  return { title, text, waypoints: waypoints.map(waypointOf) };
}

function waypointOf(waypoint: Wire.Waypoint): Waypoint {
  const { id, title = "", text = "", slide = null, view, annotations = [], marks = [] } = waypoint;
  return { id, title, text, slide, view, annotations, marks: marks.map(markOf) };
}

function markOf({ kind, l0_x, l0_y, l0_width = 0, l0_height = 0, text = "" }: Wire.Mark): Mark {
  return { kind, l0_x, l0_y, l0_width, l0_height, text };
}

function storedTourOf({ id, slide_id: slideId, case_id: caseId, revision, tour }: Wire.TourBody): StoredTour {
  return { id, slideId, caseId, revision, tour: tourOf(tour) };
}

const document = (tour: Tour): Fixed<Wire.Tour> => ({ format: "wavescope-tour", version: 1, ...tour });

export async function listTours(owner: TourOwner, signal?: AbortSignal): Promise<readonly TourSummary[]> {
  return (await call("GET /tours", { query: owner, signal })).tours;
}

export async function readTour(id: string, signal?: AbortSignal): Promise<StoredTour> {
  return storedTourOf(await call("GET /tours/{tour_id}", { path: { tour_id: id }, signal }));
}

export async function createTour(owner: TourOwner, tour: Tour): Promise<StoredTour> {
  return storedTourOf(await call("POST /tours", { query: owner, body: document(tour) }));
}

/** Refused (`stale-revision`) if the tour was changed since `revision`. */
export async function saveTour(id: string, tour: Tour, revision: number): Promise<StoredTour> {
  return storedTourOf(await call("PUT /tours/{tour_id}", { path: { tour_id: id }, body: document(tour), revision }));
}

export async function deleteTour(id: string, revision: number): Promise<void> {
  await call("DELETE /tours/{tour_id}", { path: { tour_id: id }, revision });
}

/** Where the tour's file lies. */
export const tourFile = (id: string): string => `/api/v1/tours/${part(id)}/file`;
