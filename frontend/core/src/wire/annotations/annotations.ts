/** Annotations (annotations.md): their content as the page uses it, and the calls. */
import type { Part, Shape } from "../../geometry/shape";
import { AnnotationContent as isContent, AnnotationImport as isReport } from "../generated/laterValidators";
import type * as Wire from "../generated/types";
import { API, call, part } from "../http/api";
import { checked, parsedJson } from "../http/contract";
import { ContractError } from "../http/errors";
import { type Fetch, bytesOf, request } from "../http/http";
import type { Fixed, Json } from "../http/json";

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
  readonly foreign: Json;
}

export interface Stored {
  readonly id: string;
  readonly revision: number;
  /** Who created it. */
  readonly author: string;
  /** Who changed it last. */
  readonly editor: string;
  readonly created: string;
  readonly updated: string;
  /** Who locked it; empty: it is not locked. */
  readonly locked: string;
  /** The document that added it; empty: it was drawn. */
  readonly imported: string;
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
  /** The name under which their changes are stored; empty: the service does not tell. */
  readonly author: string;
  /** The newest sequence of the slide's comments. */
  readonly comments: number;
}

export interface Change {
  readonly id: string;
  readonly revision: number;
  readonly content: Content | null;
}

export interface Outcome {
  readonly id: string;
  readonly status: "saved" | "conflict" | "locked";
  readonly annotation: Stored | null;
}

export type ImportReport = Fixed<Wire.AnnotationImport>;

export type DocumentFormat = "geojson" | "w3c" | "csv";
export const MAX_CHANGES = 500;
const PAGE = 5000;
const MAX_NAME = 200; // characters of the name of a document

/** The calls that keeping annotations needs; a fake of it is all that tests need. */
export interface AnnotationClient {
  /** What has changed after `since`, ends among it; null: all that live. */
  page(since: number | null, signal?: AbortSignal): Promise<AnnotationPage>;
  change(changes: readonly Change[], signal?: AbortSignal): Promise<readonly Outcome[]>;
  /** Locks or unlocks an object; what it is then. */
  lock(id: string, locked: boolean): Promise<Stored>;
  setClasses(classes: Readonly<Record<string, Color | null>>): Promise<ReadonlyMap<string, Color>>;
  import(format: "geojson" | "w3c", body: Blob, name?: string): Promise<ImportReport>;
  exportUrl(format: DocumentFormat): string;
}

export function annotationClient(
  slide: string,
  fetcher: Fetch = (input, init) => fetch(input, init),
): AnnotationClient {
  const url = `${API}/slides/${part(slide)}/annotations`;
  const path = { slide_id: slide };
  return {
    page: async (since, signal) => {
      const query = { limit: PAGE, since: since ?? undefined };
      return pageOf(await call("GET /slides/{slide_id}/annotations", { path, query, signal, fetcher }));
    },
    change: async (changes, signal) => {
      const written = changes.map(({ id, revision, content }) => ({
        id,
        revision,
        content: content && writeContent(content),
      }));
      const body = { changes: written };
      const response = await call("POST /slides/{slide_id}/annotations:batch", { path, body, signal, fetcher });
      return response.outcomes.map(outcomeOf);
    },
    lock: async (id, locked) => {
      const route = `${locked ? "PUT" : "DELETE"} /slides/{slide_id}/annotations/{annotation_id}/lock` as const;
      return storedOf(await call(route, { path: { ...path, annotation_id: id }, fetcher }));
    },
    setClasses: async (classes) => {
      const response = await call("PATCH /slides/{slide_id}/annotations:classes", { path, body: { classes }, fetcher });
      return new Map(Object.entries(response.classes).flatMap(([name, color]) => (color ? [[name, color]] : [])));
    },
    import: async (format, body, name = "") => {
      const named = name && `&name=${encodeURIComponent(lineOf(name))}`;
      const target = `${url}:import?format=${format}${named}`;
      const bytes = await bytesOf(await request(fetcher, target, { method: "POST", body }));
      const source = `POST ${target}`;
      return checked(parsedJson(new TextDecoder().decode(bytes), source), isReport, source);
    },
    exportUrl: (format) => `${url}?format=${format}`,
  };
}

function pageOf({ annotations, classes, author = "", comments = 0, ...page }: Wire.AnnotationList): AnnotationPage {
  return {
    ...page,
    author,
    comments,
    annotations: annotations.map(storedOf),
    classes: new Map(Object.entries(classes)),
  };
}

function storedOf({ content, editor, locked = "", imported = "", ...view }: Wire.AnnotationView): Stored {
  const { id, revision, author, created, updated } = view;
  return {
    id,
    revision,
    author,
    editor: editor ?? author,
    created,
    updated,
    locked,
    imported,
    content: content && contentOf(content),
  };
}

/** A name as the service takes it (AN20). */
const lineOf = (name: string): string => name.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").slice(0, MAX_NAME);

/** A content that `writeContent` made. Throws ContractError. */
export function parseContent(document: unknown): Content {
  return contentOf(checked(document, isContent, "annotation"));
}

/** Throws ContractError where the coordinates are not those of the geometry's type. */
function contentOf(content: Wire.AnnotationContent): Content {
  const { kind, geometry, plane, name, text, class: className, color, ...rest } = content;
  const { z = 0, ...otherPlane } = plane ?? {};
  return {
    shape: shapeOf(kind, geometry),
    z,
    name: name ?? "",
    text: text ?? "",
    class: className ?? "",
    color: color ?? null,
    foreign: { ...rest, ...(Object.keys(otherPlane).length > 0 && { plane: otherPlane }) },
  };
}

export function writeContent(content: Content): Json {
  const { plane, ...rest } = content.foreign;
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

function shapeOf(kind: Shape["kind"], { type, coordinates }: Wire.AnnotationGeometry): Shape {
  switch (type) {
    case "Point":
      return { kind, type, parts: [flat([coordinates])], groups: [] };
    case "MultiPoint":
    case "LineString":
      return { kind, type, parts: [flat(coordinates)], groups: [] };
    case "MultiLineString":
      return { kind, type, parts: coordinates.map(flat), groups: [] };
    case "Polygon":
      return { kind, type, parts: coordinates.map(flat), groups: [coordinates.length] };
    case "MultiPolygon": {
      const polygons = coordinates.map(listOf);
      return {
        kind,
        type,
        parts: polygons.flatMap((rings) => rings.map(flat)),
        groups: polygons.map(({ length }) => length),
      };
    }
  }
}

const wrong = (rule: string): ContractError => new ContractError("annotation", "/geometry/coordinates", rule);

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong("a list");
  return value;
}

function flat(positions: unknown): Part {
  const numbers: number[] = [];
  for (const position of listOf(positions)) {
    const [x, y] = listOf(position);
    if (typeof x !== "number" || typeof y !== "number") throw wrong("two numbers");
    numbers.push(x, y);
  }
  if (numbers.length === 0) throw wrong("a position");
  return numbers;
}

function writeGeometry({ type, parts, groups }: Shape): Json {
  const pairs = (part: Part): number[][] =>
    Array.from({ length: part.length / 2 }, (_, i) => [part[2 * i]!, part[2 * i + 1]!]);
  if (type === "Point") return { type, coordinates: pairs(parts[0]!)[0] };
  if (type === "MultiPoint" || type === "LineString") return { type, coordinates: pairs(parts[0]!) };
  if (type !== "MultiPolygon") return { type, coordinates: parts.map(pairs) };
  let at = 0;
  return { type, coordinates: groups.map((count) => parts.slice(at, (at += count)).map(pairs)) };
}

function outcomeOf({ id, status, annotation }: Wire.AnnotationOutcome): Outcome {
  return { id, status, annotation: annotation && storedOf(annotation) };
}
