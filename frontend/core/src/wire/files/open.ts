/** Opens an exported slide (SH2): its document as a manifest, with its files in the place of the service. */
import { ManifestView as isManifest } from "../generated/validators";
import type * as Wire from "../generated/types";
import { checked, parsedJson } from "../http/contract";
import { ContractError, CorruptError, OfflineError } from "../http/errors";
import type { Fetch } from "../http/http";
import type { Json } from "../http/json";
import { type Manifest, manifestOf } from "../slides/manifest";
import { SlideFileError } from "./errors";
import { FilesSlideClient, INDEX } from "./filesClient";
import type { SlideFolder } from "./folder";

const DOCUMENT = "export.json";
const FORMAT = "wavescope-export";
const MAGIC = "WSLX";
/** Bytes of the document, and of the pictures. */
const MOST = { document: 16 << 20, picture: 16 << 20 };

export interface ExportedSlide {
  readonly manifest: Manifest;
  /** Whether the export has annotations. */
  readonly annotated: boolean;
}

/** Throws SlideFileError, ContractError, CorruptError, OfflineError. */
export async function openExport(folder: SlideFolder, signal?: AbortSignal): Promise<ExportedSlide> {
  const document = await documentIn(folder, signal);
  const source = `${folder.name} ${DOCUMENT}`;
  const slide = checked(document.slide, isManifest, source);
  const annotated = document.annotations === true;
  // A server that answers no ranges is noticed here, and not by the first block.
  const [index, thumbnail] = await Promise.all([
    folder.read(INDEX, 0, MAGIC.length, signal),
    picture(folder, slide.thumbnail, "image/jpeg", signal).catch(() => null),
  ]);
  if (String.fromCharCode(...index) !== MAGIC) throw new CorruptError(`${folder.name}: no layer index`);
  const clients = new Set<FilesSlideClient>();
  const manifest: Manifest = {
    ...manifestOf(slide),
    // The viewer asks for pictures below this address: what follows the # is not looked at, but by `answering`.
    url: thumbnail ? `${thumbnail}#${folder.name}` : `export:${folder.name}`,
    allowed: [],
    editable: false,
    original: null,
    files: {
      client: (traffic) => {
        const client = new FilesSlideClient(manifest, folder, traffic);
        clients.add(client);
        return client;
      },
      fetcher: fetchFrom(folder, { colour: document.colour, annotated, overlaid: document.overlays === true }),
      close: () => {
        for (const client of clients) client.close();
        if (thumbnail) URL.revokeObjectURL(thumbnail);
      },
    },
  };
  return { manifest, annotated };
}

async function documentIn(folder: SlideFolder, signal?: AbortSignal): Promise<Json> {
  let bytes: Uint8Array;
  try {
    bytes = await folder.whole(DOCUMENT, MOST.document, signal);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    throw new SlideFileError("missing", `${folder.name}: no exported slide`, { cause: error });
  }
  const source = `${folder.name} ${DOCUMENT}`;
  const document = parsedJson(new TextDecoder().decode(bytes), source) as Json | null;
  if (document?.format !== FORMAT) throw new ContractError(source, "/format", `is not ${FORMAT}`);
  if (!/^1\.\d+$/.test(String(document.version)))
    throw new SlideFileError("unsupported", `${source}: version ${String(document.version)}`);
  return document;
}

async function picture(folder: SlideFolder, path: string, type: string, signal?: AbortSignal): Promise<string> {
  const bytes = await folder.whole(path, MOST.picture, signal);
  return URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
}

/** Answers as the service does (WI60, AN8), from the files. Changes are refused. */
function fetchFrom(
  folder: SlideFolder,
  given: { readonly colour: unknown; readonly annotated: boolean; readonly overlaid: boolean },
): Fetch {
  const overlays = later(() => import("./overlays").then(({ overlaysFrom }) => overlaysFrom(folder)));
  let annotations: Promise<Wire.AnnotationList> | null = null;
  return async (input, init) => {
    const { pathname, searchParams } = new URL(input, "https://export.invalid");
    const signal = init?.signal ?? undefined;
    if ((init?.method ?? "GET") !== "GET") return problem(403, "forbidden");
    if (pathname.endsWith("/colour")) return Response.json(given.colour);
    if (input.endsWith("/colour/table.png")) {
      const bytes = await folder.whole("colour.png", MOST.picture, signal);
      return new Response(bytes as Uint8Array<ArrayBuffer>, { headers: { "Content-Type": "image/png" } });
    }
    if (pathname.includes("/overlays"))
      return given.overlaid ? answered((await overlays())(input, init)) : Response.json({ overlays: [] });
    if (!pathname.endsWith("/annotations")) return problem(404, "not-found");
    annotations ??= given.annotated ? annotationsIn(folder) : Promise.resolve(none);
    annotations.catch(() => (annotations = null));
    const list = await annotations;
    return Response.json(searchParams.has("since") ? { ...list, annotations: [] } : list);
  };
}

/** What is damaged is answered as the service answers it: asking again does not help. */
const answered = (answer: Promise<Response>): Promise<Response> =>
  answer.catch((error: unknown) => {
    if (error instanceof CorruptError || error instanceof ContractError || error instanceof SlideFileError)
      return problem(500, "corrupt-store");
    throw error;
  });

const none: Wire.AnnotationList = {
  annotations: [],
  sequence: 0,
  more: false,
  total: 0,
  classes: {},
  editable: false,
};

/** What reads them is a chunk of its own, where a page does not have it yet. */
async function annotationsIn(folder: SlideFolder): Promise<Wire.AnnotationList> {
  const reader = await loaded(import("./annotations"));
  return reader.annotationsIn(folder);
}

/** The same of every call; a failed one is repeated by the next. */
function later<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= loaded(make());
    made.catch(() => (made = null));
    return made;
  };
}

/** Throws OfflineError where a chunk of the page is not here. */
const loaded = <T>(chunk: Promise<T>): Promise<T> =>
  chunk.catch((cause: unknown) => {
    throw new OfflineError("a part of the page could not be loaded", { cause });
  });

const problem = (status: number, name: string): Response =>
  Response.json({ type: `/problems/${name}`, title: name, detail: name }, { status });
