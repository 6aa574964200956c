/** What a TIFF says about itself: scale, objective, scanner, colour profile. The twin of backend/src/wavescope/source/tiff/metadata.py. */
import type { LocalFacts } from "../localPicture";
import { type Directory, TAG } from "./directories";
import type { Kind } from "./pages";

const MICROMETRES: Readonly<Record<string, number>> = {
  µm: 1,
  um: 1,
  micron: 1,
  nm: 1e-3,
  mm: 1e3,
  cm: 1e4,
  pm: 1e-6,
  inch: 25400,
};
/** Micrometres of the unit of a resolution. */
const UNITS: Readonly<Record<number, number>> = { 2: 25400, 3: 10000 };
/** A resolution coarser than this speaks of print or screen, not of a microscope. */
const COARSEST = 50;
/** Characters of one element that are searched for attributes. */
const MAX_ATTRIBUTES = 1 << 14;

/** Of the picture `base`; OME describes it in the first directory. */
export async function factsOf(
  kind: Kind,
  first: Directory,
  base: Directory,
  signal?: AbortSignal,
): Promise<LocalFacts> {
  const description = await first.text(TAG.description, signal);
  const icc = await base.bytes(TAG.icc, signal);
  const facts =
    kind === "aperio"
      ? aperioFacts(description)
      : await genericFacts(/OME>\s*$/.test(description) ? description : "", base, signal);
  return defined({ ...facts, icc: icc?.length ? icc : undefined });
}

/** `name = value` between bars. */
export function aperioFacts(description: string): Partial<LocalFacts> {
  const values = new Map(
    description
      .split("|")
      .slice(1)
      .map((part) => part.split("=", 2).map((text) => text.trim()) as [string, string]),
  );
  const mpp = positive(values.get("MPP"));
  return defined({ mppX: mpp, mppY: mpp, objective: positive(values.get("AppMag")), vendor: "aperio" });
}

/** Of the first image of an OME description. */
export function omeFacts(description: string): Partial<LocalFacts> {
  const pixels = element(description, "Pixels");
  const size = (axis: string): number | undefined => {
    const value = positive(pixels.get(`PhysicalSize${axis}`));
    const unit = MICROMETRES[pixels.get(`PhysicalSize${axis}Unit`) ?? "µm"];
    return value !== undefined && unit !== undefined ? value * unit : undefined;
  };
  return defined({
    mppX: size("X"),
    mppY: size("Y"),
    objective: positive(element(description, "Objective").get("NominalMagnification")),
    vendor: element(description, "Microscope").get("Manufacturer")?.trim() || undefined,
  });
}

async function genericFacts(ome: string, base: Directory, signal?: AbortSignal): Promise<Partial<LocalFacts>> {
  const facts = omeFacts(ome);
  const scale = facts.mppX && facts.mppY ? {} : await resolution(base, signal);
  const vendor = facts.vendor ?? ((await base.text(TAG.make, signal)) || undefined);
  const { objective } = facts;
  return defined({ mppX: facts.mppX, mppY: facts.mppY, ...scale, objective, vendor });
}

async function resolution(directory: Directory, signal?: AbortSignal) {
  const unit = UNITS[await directory.integer(TAG.resolutionUnit, 2, signal)];
  const mpp = async (tag: number): Promise<number | undefined> => {
    const perUnit = await directory.fraction(tag, signal);
    const value = unit && perUnit ? unit / perUnit : COARSEST;
    return value < COARSEST ? value : undefined;
  };
  const [mppX, mppY] = [await mpp(TAG.xResolution), await mpp(TAG.yResolution)];
  return mppX !== undefined && mppY !== undefined ? { mppX, mppY } : { mppX: undefined, mppY: undefined };
}

/** The attributes of the first element of a name. */
function element(description: string, name: string): ReadonlyMap<string, string> {
  const [, attributes = ""] = new RegExp(`<(?:\\w+:)?${name}\\b([^>]*)>`).exec(description) ?? [];
  return new Map(
    [...attributes.slice(0, MAX_ATTRIBUTES).matchAll(/([\w:]+)\s*=\s*"([^"]*)"/g)].map(([, key, value]) => [
      key!,
      value!,
    ]),
  );
}

/** The number that a text spells, if it is positive. */
function positive(text: string | undefined): number | undefined {
  const number = text?.trim() ? Number(text) : 0;
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

/** Without the members that are not known. */
function defined<T extends object>(facts: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
