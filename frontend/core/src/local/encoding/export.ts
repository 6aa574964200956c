/** An exported slide (SH10) of a version that was encoded here: nothing of the file but its picture, its scale and its colours (LI24). */
import { Pyramid } from "../../geometry/pyramid";
import { type Entry, archiveOf, inOrder } from "./archive";
import { crc32 } from "./bytes";
import type { EncodedVersion } from "./encodeSlide";
import { type Value, canonical } from "./json";

const THUMBNAIL = "thumbnail.jpg";
/** Nodes of a table of colours; there is none. */
const NODES = 52;

/** The document that the export is opened by (SH2). */
export function documentOf(manifest: EncodedVersion["manifest"], title: string, now: Date): Value {
  const { width, height } = manifest as { readonly width: number; readonly height: number };
  const pyramid = new Pyramid(width, height);
  const sizes = Array.from({ length: pyramid.top + 1 }, (_, level) => {
    const { columns, rows } = pyramid.tiles(level);
    return { level, ...pyramid.levelSize(level), tiles_x: columns, tiles_y: rows };
  });
  const slide: Value = {
    ...manifest,
    id: "local",
    title,
    created: now.toISOString(),
    updated: now.toISOString(),
    status: "ready",
    url: ".",
    thumbnail: THUMBNAIL,
    scale: null,
    tags: {},
    editable: false,
    allowed: [],
    sizes,
  };
  const colour = { profile: null, state: manifest.icc === true ? "unapplied" : "none", nodes: NODES };
  return { format: "wavescope-export", version: "1.0", slide, colour, annotations: false, overlays: false };
}

/** The archive, whose contents stay where they are. `thumbnail`: a JPEG. */
export function exportOf(
  version: EncodedVersion,
  title: string,
  thumbnail: Uint8Array<ArrayBuffer> | null,
  now = new Date(),
): Blob {
  const own = new Map([["export.json", utf8(canonical(documentOf(version.manifest, title, now)))]]);
  if (thumbnail) own.set(THUMBNAIL, thumbnail);
  const files = version.files();
  const manifest = files.get("manifest.json")!;
  files.delete("manifest.json");
  const entries = [
    ...[...own].map(([path, content]): Entry => ({ path, size: content.length, crc: crc32([content]), content })),
    manifest,
    ...inOrder([...files.keys()]).map((path) => files.get(path)!),
  ];
  return new Blob(archiveOf(entries), { type: "application/vnd.wavescope.slide+zip" });
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
