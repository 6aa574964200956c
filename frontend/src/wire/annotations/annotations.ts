/** Annotations on the wire (annotations.md): their types, checked at the boundary, and the calls. */
import { type GeometryType, KINDS, type Kind, type Part, type Shape } from "../../geometry/shape";
import { ShapeError } from "../http/errors";
import { type Fetch, jsonOf, request } from "../http/http";
import { type Json, asArray, asObject, text, textOrNull, whole } from "../http/shape";

export type Color = readonly [number, number, number];

/** What a person writes (AN2). */
export interface Content {
  readonly shape: Shape;
  readonly z: number;
  readonly name: string;
  readonly text: string;
  /** The name of its class; empty: none. */
  readonly class: string;
  /** Null: its class's. */
  readonly color: Color | null;
  /** Members that this client carries and does not use: `foreign`, and the plane's other numbers. */
  readonly carried: Json;
}

export interface Stored {
  readonly id: string;
  readonly revision: number;
  readonly author: string;
  readonly updated: string;
  /** Null: deleted. */
  readonly content: Content | null;
}

export interface AnnotationPage {
  readonly annotations: readonly Stored[];
  readonly sequence: number;
  readonly more: boolean;
  readonly total: number;
  readonly classes: ReadonlyMap<string, Color>;
  /** Whether who asks may change them; also where the service does not tell: it decides anyway. */
  readonly editable: boolean;
}

export interface Change {
  readonly id: string;
  readonly revision: number;
  readonly content: Content | null;
}

export interface Outcome {
  readonly id: string;
  readonly status: "saved" | "conflict";
  readonly annotation: Stored | null;
}

export interface ImportReport {
  readonly created: number;
  readonly unchanged: number;
  readonly renumbered: number;
  readonly skipped: number;
  readonly reasons: readonly string[];
}

export type DocumentFormat = "geojson" | "w3c" | "csv";
export const MOST_CHANGES = 500;
const PAGE = 5000;

/** The calls that keeping annotations needs; a fake of it is all that tests need. */
export interface AnnotationClient {
  /** What has changed after `since`, ends among it; null: all that live. */
  page(since: number | null, signal?: AbortSignal): Promise<AnnotationPage>;
  change(changes: readonly Change[], signal?: AbortSignal): Promise<readonly Outcome[]>;
  setClasses(classes: Readonly<Record<string, Color | null>>): Promise<ReadonlyMap<string, Color>>;
  import(format: "geojson" | "w3c", body: Blob): Promise<ImportReport>;
  exportUrl(format: DocumentFormat): string;
}

export function annotationClient(
  slide: string,
  fetcher: Fetch = (input, init) => fetch(input, init),
): AnnotationClient {
  const url = `/api/v1/slides/${encodeURIComponent(slide)}/annotations`;
  const json = { "Content-Type": "application/json" };
  const ask = async (path: string, init?: RequestInit): Promise<Json> =>
    asObject(await jsonOf(await request(fetcher, url + path, init)), "answer");
  return {
    page: async (since, signal) =>
      parsePage(
        await ask(`?limit=${PAGE}${since === null ? "" : `&since=${since}`}`, {
          signal,
          headers: { Accept: "application/json" },
        }),
      ),
    change: async (changes, signal) => {
      const body = JSON.stringify({
        changes: changes.map(({ id, revision, content }) => ({
          id,
          revision,
          content: content && writeContent(content),
        })),
      });
      const answer = await ask(":batch", { method: "POST", headers: json, body, signal });
      return asArray(answer.outcomes, "outcomes").map(parseOutcome);
    },
    setClasses: async (classes) =>
      parseClasses(
        (await ask(":classes", { method: "PATCH", headers: json, body: JSON.stringify({ classes }) })).classes,
      ),
    import: async (format, body) => parseReport(await ask(`:import?format=${format}`, { method: "POST", body })),
    exportUrl: (format) => `${url}?format=${format}`,
  };
}

export function parsePage(from: Json): AnnotationPage {
  return {
    annotations: asArray(from.annotations, "annotations").map(parseStored),
    sequence: whole(from, "sequence"),
    more: from.more === true,
    total: whole(from, "total"),
    classes: parseClasses(from.classes),
    editable: from.editable !== false,
  };
}

export function parseStored(value: unknown): Stored {
  const from = asObject(value, "annotation");
  const content = from.content === null || from.content === undefined ? null : parseContent(from.content);
  return {
    id: text(from, "id"),
    revision: whole(from, "revision", 1),
    author: text(from, "author"),
    updated: text(from, "updated"),
    content,
  };
}

const UNDERSTOOD = new Set(["kind", "geometry", "plane", "name", "text", "class", "color"]);

export function parseContent(value: unknown): Content {
  const from = asObject(value, "content");
  const { kind, geometry, plane, color } = from;
  if (!KINDS.includes(kind as Kind)) throw new ShapeError(`annotations of the kind ${String(kind)} are not known`);
  const { z, ...otherPlane } = plane === undefined ? { z: 0 } : asObject(plane, "plane");
  const rest = Object.entries(from).filter(([name]) => !UNDERSTOOD.has(name));
  const carried: Json = {
    ...Object.fromEntries(rest),
    ...(Object.keys(otherPlane).length > 0 && { plane: otherPlane }),
  };
  return {
    shape: parseShape(kind as Kind, asObject(geometry, "geometry")),
    z: typeof z === "number" ? z : 0,
    name: textOrNull(from, "name") ?? "",
    text: textOrNull(from, "text") ?? "",
    class: textOrNull(from, "class") ?? "",
    color: color === undefined || color === null ? null : parseColor(color),
    carried,
  };
}

export function writeContent(content: Content): Json {
  const { plane, ...rest } = content.carried;
  const written: Record<string, unknown> = {
    kind: content.shape.kind,
    geometry: writeGeometry(content.shape),
    ...rest,
  };
  if (content.z !== 0 || plane) written.plane = { ...(plane as Json | undefined), z: content.z };
  if (content.name) written.name = content.name;
  if (content.text) written.text = content.text;
  if (content.class) written.class = content.class;
  if (content.color) written.color = content.color;
  return written;
}

const POINTS: Readonly<Record<string, GeometryType>> = {
  Point: "Point",
  MultiPoint: "MultiPoint",
  LineString: "LineString",
};

function parseShape(kind: Kind, { type, coordinates }: Json): Shape {
  const listed = asArray(coordinates, "coordinates");
  if (type === "Point") return { kind, type, parts: [flat([listed])], groups: [] };
  if (typeof type === "string" && type in POINTS)
    return { kind, type: POINTS[type], parts: [flat(listed)], groups: [] };
  if (type === "MultiLineString") return { kind, type, parts: listed.map(flat), groups: [] };
  if (type === "Polygon") return { kind, type, parts: listed.map(flat), groups: [listed.length] };
  if (type !== "MultiPolygon") throw new ShapeError(`geometries of the type ${String(type)} are not known`);
  const polygons = listed.map((rings) => asArray(rings, "polygon"));
  return {
    kind,
    type,
    parts: polygons.flatMap((rings) => rings.map(flat)),
    groups: polygons.map((rings) => rings.length),
  };
}

function flat(positions: unknown): Part {
  const numbers: number[] = [];
  for (const position of asArray(positions, "positions")) {
    const [x, y] = position as [unknown, unknown];
    if (typeof x !== "number" || typeof y !== "number") throw new ShapeError("a position is not two numbers");
    numbers.push(x, y);
  }
  if (numbers.length === 0) throw new ShapeError("a geometry has no positions");
  return numbers;
}

function writeGeometry({ type, parts, groups }: Shape): Json {
  const pairs = (part: Part): number[][] =>
    Array.from({ length: part.length / 2 }, (_, i) => [part[2 * i], part[2 * i + 1]]);
  if (type === "Point") return { type, coordinates: pairs(parts[0])[0] };
  if (type === "MultiPoint" || type === "LineString") return { type, coordinates: pairs(parts[0]) };
  if (type !== "MultiPolygon") return { type, coordinates: parts.map(pairs) };
  let at = 0;
  return { type, coordinates: groups.map((count) => parts.slice(at, (at += count)).map(pairs)) };
}

function parseOutcome(value: unknown): Outcome {
  const from = asObject(value, "outcome");
  const annotation = from.annotation === null ? null : parseStored(from.annotation);
  return { id: text(from, "id"), status: from.status === "saved" ? "saved" : "conflict", annotation };
}

function parseClasses(value: unknown): ReadonlyMap<string, Color> {
  return new Map(Object.entries(asObject(value, "classes")).map(([name, color]) => [name, parseColor(color)]));
}

function parseColor(value: unknown): Color {
  const [red, green, blue] = asArray(value, "color");
  if ([red, green, blue].some((part) => typeof part !== "number")) throw new ShapeError("a color is not three numbers");
  return [red as number, green as number, blue as number];
}

function parseReport(from: Json): ImportReport {
  return {
    created: whole(from, "created"),
    unchanged: whole(from, "unchanged"),
    renumbered: whole(from, "renumbered"),
    skipped: whole(from, "skipped"),
    reasons: asArray(from.reasons, "reasons").map(String),
  };
}
