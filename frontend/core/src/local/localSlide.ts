/**
 * A slide file of this computer as a manifest (LI5): what the viewer asks the service for of a slide that is not imported yet, the file
 * answers. So nothing of the viewer knows that there is a file.
 */
import { Pyramid } from "../geometry/pyramid";
import { t } from "../i18n/i18n";
import { sha256OfFile } from "../sha256";
import { SlideFileError } from "../wire/files/errors";
import { OfflineError, isAbort } from "../wire/http/errors";
import { detailsOf } from "../wire/slides/details";
import type { Manifest } from "../wire/slides/manifest";
import type { SlideClient } from "../wire/slides/slideClient";
import { LocalReader } from "./reader";

/** Throws SlideFileError, OfflineError. The manifest's `files.close()` frees the file. */
export async function openLocalSlide(file: File): Promise<Manifest> {
  const reader = await LocalReader.open(file);
  return manifestOf(file, reader);
}

export function manifestOf(file: File, reader: LocalReader): Manifest {
  const { width, height, facts } = reader.description;
  const { mppX, mppY } = facts;
  const thumbnail = URL.createObjectURL(reader.thumbnail);
  const details = detailsOf(null);
  return {
    id: "local",
    title: file.name,
    digest: "",
    created: null,
    width,
    height,
    planes: 1,
    mpp: mppX && mppY ? { x: mppX, y: mppY } : null,
    scale: null,
    objectivePower: facts.objective ?? null,
    vendor: facts.vendor ?? null,
    profile: "lossless",
    bytes: null,
    thumbnail,
    tags: {},
    findings: null,
    editable: false,
    // The viewer asks for the thumbnail below this address: what follows the # is not looked at.
    url: `${thumbnail}#local`,
    top: new Pyramid(width, height).top,
    layers: 1,
    channels: 3,
    groups: null,
    parameters: [],
    planeSpacingUm: null,
    icc: facts.icc !== undefined,
    sourceName: null,
    preview: true,
    empty: null,
    allowed: [],
    original: null,
    details: { ...details, source: { ...details.source, name: file.name, bytes: file.size } },
    files: {
      client: () => clientOf(reader),
      fetcher: () => Promise.resolve(Response.json(NO_ANNOTATIONS)),
      fingerprint: () => fingerprintOf(file),
      close: () => {
        reader.close();
        URL.revokeObjectURL(thumbnail);
      },
    },
  };
}

async function fingerprintOf(file: File): Promise<{ bytes: number; sha256: string }> {
  try {
    return { bytes: file.size, sha256: await sha256OfFile(file) };
  } catch (error) {
    throw inWords(new OfflineError("the file cannot be read", { cause: error }));
  }
}

const NO_ANNOTATIONS = { annotations: [], sequence: 0, more: false, total: 0, classes: {}, editable: false };

/** It has pictures and no blocks. */
function clientOf(reader: Pick<LocalReader, "tile">): SlideClient {
  const none = (): never => {
    throw new Error("a file has no blocks");
  };
  return {
    layerIndexPage: none,
    approximationLayer: none,
    batch: none,
    get: none,
    tile: async ({ level, x, y }) => {
      try {
        return await reader.tile({ level, x, y });
      } catch (error) {
        throw inWords(error);
      }
    },
  };
}

/** A file that does not answer is not waited for, as a service is: the error says what it is. */
function inWords(error: unknown): Error {
  return isAbort(error) ? (error as Error) : new Error(reasonOf(error), { cause: error });
}

const FAULTS: Readonly<Partial<Record<SlideFileError["fault"], string>>> = {
  truncated: t("local.truncated"),
  malformed: t("local.malformed"),
  "too-large": t("local.tooLarge"),
  unsupported: t("local.unsupported"),
};

/** Why a slide or a tile cannot be shown, in words for the user. */
export function reasonOf(error: unknown): string {
  if (error instanceof SlideFileError) return FAULTS[error.fault] ?? error.message;
  if (error instanceof OfflineError) return t("local.unreadable");
  return error instanceof Error ? error.message : String(error);
}
