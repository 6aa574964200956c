/** Which pictures of a TIFF are the slide and its levels: never its label, its macro image or its thumbnail (LI4). */
import { Pyramid, type Size } from "../../geometry/pyramid";
import { SlideFileError } from "../../wire/files/errors";
import { type Directory, TAG, readSubDirectories } from "./directories";
import { sizeOf } from "./layout";

/** What reads such a file at the service. */
export type Kind = "aperio" | "generic";

/** In pixels: scanners round the sides of a level up, down, or cut them. */
const ROUNDING = 1;
/** Bits of tag 254: reduced; anything else is a page or a mask. */
const REDUCED = 1;

export interface Page extends Size {
  readonly directory: Directory;
}

/** Kinds of TIFF that have rules of their own, which are not known here: by what their first directory has. */
const OTHERS: readonly (readonly [number, RegExp])[] = [
  [TAG.description, /<scn\b|<PerkinElmer-QPI|<DataObject/],
  [TAG.software, /^(Philips|MedScan)/],
  [TAG.make, /^(Hamamatsu|Huron)/],
  [TAG.xmp, /<iScan\b/],
];

/** Throws SlideFileError for kinds that only the service reads. */
export async function kindOf(first: Directory, signal?: AbortSignal): Promise<Kind> {
  const refused = new SlideFileError("unsupported", `${first.file.name}: a kind of TIFF that only the service reads`);
  if (first.has(TAG.hamamatsu)) throw refused;
  for (const [tag, pattern] of OTHERS)
    if (pattern.test((await first.text(tag, signal)).slice(0, 1 << 16))) throw refused;
  const aperio = (await first.text(TAG.description, signal)).startsWith("Aperio");
  return aperio && first.has(TAG.tileWidth) ? "aperio" : "generic";
}

/** The largest picture, then its reduced ones. Throws SlideFileError. */
export async function pagesOf(directories: readonly Directory[], kind: Kind, signal?: AbortSignal): Promise<Page[]> {
  const pages: Page[] = [];
  for (const directory of directories) pages.push({ directory, ...(await sizeOf(directory, signal)) });
  const [first] = pages;
  const base = kind === "aperio" ? first! : largest(pages);
  const alike = pages.filter(({ width, height }) => width === base.width && height === base.height);
  if (kind === "generic" && alike.length > 1)
    throw new SlideFileError("unsupported", `${base.directory.file.name}: ${alike.length} pictures of one size`);
  for (const directory of await readSubDirectories(base.directory, signal))
    pages.push({ directory, ...(await sizeOf(directory, signal)) });
  const levels: Page[] = [base];
  for (const page of pages)
    if (page !== base && (await isReduced(page.directory, kind, signal)) && levelOf(base, page) > 0) levels.push(page);
  return levels.sort((one, other) => other.width - one.width);
}

/** The level of a pyramid of halves that has this size; -1: none. */
export function levelOf(base: Size, { width, height }: Size): number {
  const pyramid = new Pyramid(base.width, base.height);
  for (let level = 0; level <= pyramid.top; level += 1) {
    const size = pyramid.levelSize(level);
    const near = (one: number, other: number): boolean => Math.abs(one - other) <= (level === 0 ? 0 : ROUNDING);
    if (near(width, size.width) && near(height, size.height)) return level;
  }
  return -1;
}

/** Aperio's levels have tiles, its other pictures strips. */
async function isReduced(directory: Directory, kind: Kind, signal?: AbortSignal): Promise<boolean> {
  if (kind === "aperio") return directory.has(TAG.tileWidth);
  return ((await directory.integer(TAG.subfileType, 0, signal)) & ~REDUCED) === 0;
}

const area = ({ width, height }: Size): number => width * height;

function largest(pages: readonly Page[]): Page {
  return pages.reduce((best, page) => (area(page) > area(best) ? page : best));
}
