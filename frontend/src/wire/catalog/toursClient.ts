/** Guided tours as the service keeps them (tours.md), checked at the boundary. */
import { getJson, part, sendJson } from "../http/api";
import { type Json, asArray, asObject, numberOf, text, textOrNull, whole } from "../http/shape";
import { ShapeError } from "../http/errors";

export const MARK_KINDS = ["point", "rectangle", "ellipse", "arrow"] as const;
export type MarkKind = (typeof MARK_KINDS)[number];

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

export interface KeptTour {
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

export function parseTour(value: unknown): Tour {
  const from = asObject(value, "tour");
  if (from.format !== "wavescope-tour") throw new ShapeError("this file is not a tour");
  if (from.version !== 1) throw new ShapeError(`tours of version ${String(from.version)} are not known`);
  const waypoints = asArray(from.waypoints ?? [], "waypoints").map(parseWaypoint);
  return { title: text(from, "title"), text: textOrNull(from, "text") ?? "", waypoints };
}

function parseWaypoint(value: unknown): Waypoint {
  const from = asObject(value, "waypoint");
  return {
    id: text(from, "id"),
    title: textOrNull(from, "title") ?? "",
    text: textOrNull(from, "text") ?? "",
    slide: textOrNull(from, "slide"),
    view: asObject(from.view, "view"),
    annotations: asArray(from.annotations ?? [], "annotations").map(String),
    marks: asArray(from.marks ?? [], "marks").map(parseMark),
  };
}

function parseMark(value: unknown): Mark {
  const from = asObject(value, "mark");
  const kind = MARK_KINDS.find((one) => one === from.kind);
  if (!kind) throw new ShapeError(`marks of kind ${String(from.kind)} are not known`);
  const size = (key: string): number => (from[key] === undefined ? 0 : numberOf(from, key));
  return {
    kind,
    l0_x: numberOf(from, "l0_x"),
    l0_y: numberOf(from, "l0_y"),
    l0_width: size("l0_width"),
    l0_height: size("l0_height"),
    text: textOrNull(from, "text") ?? "",
  };
}

function parseKept(value: unknown): KeptTour {
  const from = asObject(value, "tour");
  return {
    id: text(from, "id"),
    slideId: textOrNull(from, "slide_id"),
    caseId: textOrNull(from, "case_id"),
    revision: whole(from, "revision", 1),
    tour: parseTour(from.tour),
  };
}

const document = (tour: Tour): unknown => ({ format: "wavescope-tour", version: 1, ...tour });
const url = (id: string): string => `/tours/${part(id)}`;
const owned = (owner: TourOwner): string => `/tours?${new URLSearchParams({ ...owner })}`;

export async function listTours(owner: TourOwner, signal?: AbortSignal): Promise<TourSummary[]> {
  return asArray(asObject(await getJson(owned(owner), signal), "tours").tours, "tours").map((value) => {
    const from = asObject(value, "tour");
    return {
      id: text(from, "id"),
      title: text(from, "title"),
      revision: whole(from, "revision", 1),
      waypoints: whole(from, "waypoints"),
    };
  });
}

export async function readTour(id: string, signal?: AbortSignal): Promise<KeptTour> {
  return parseKept(await getJson(url(id), signal));
}

export async function createTour(owner: TourOwner, tour: Tour): Promise<KeptTour> {
  return parseKept(await sendJson("POST", owned(owner), document(tour)));
}

/** Refused (`stale-revision`) if the tour was changed since `revision`. */
export async function saveTour(id: string, tour: Tour, revision: number): Promise<KeptTour> {
  return parseKept(await sendJson("PUT", url(id), document(tour), revision));
}

export async function deleteTour(id: string, revision: number): Promise<void> {
  await sendJson("DELETE", url(id), undefined, revision);
}

/** Where the tour's file lies. */
export const tourFile = (id: string): string => `/api/v1${url(id)}/file`;
