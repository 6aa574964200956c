// The store that the tests look at: ingested once for each state of the code that ingests, and copied for every run, since tests change it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { writeFiducial } from "./pictures.ts";
import { PYTHON, ROOT, realSlide, removeFolder, wavescope } from "./service.ts";
import { FIDUCIAL, MINERVA_FILE, REGION_FILE, SLIDES } from "./slides.ts";

const CACHE = join(ROOT, "e2e", ".cache");
/** What a store's bytes depend on. */
const MADE_OF = [
  "shared/kernel/build/kernel.wasm",
  "backend/requirements.lock",
  ...["config", "errors", "geometry.py", "catalog", "cli", "ingest", "kernel", "source", "store"].map(
    (name) => `backend/src/wavescope/${name}`,
  ),
  "backend/tests/service/profiles.py",
  ...["cachedStore.ts", "pictures.ts", "profiled_picture.py", "slides.ts"].map((name) => `e2e/harness/${name}`),
];

/** A folder with a `store` of all slides, and `shown.png`: what the profiled one has to look like. Made at `target`. */
export function copySlides(target: string): void {
  const cached = join(CACHE, fingerprint());
  if (!existsSync(cached)) {
    mkdirSync(CACHE, { recursive: true });
    const old = readdirSync(CACHE);
    const fresh = mkdtempSync(join(CACHE, "making-"));
    ingestSlides(fresh);
    if (existsSync(cached))
      removeFolder(fresh); // another run was quicker
    else renameSync(fresh, cached);
    for (const name of old) if (!name.startsWith("making-")) removeFolder(join(CACHE, name));
  }
  cpSync(cached, target, { recursive: true, mode: constants.COPYFILE_FICLONE });
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of MADE_OF.flatMap(filesOf)) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  for (const real of realSlides().values()) hash.update(`\0${real}\0${statSync(real).size}\0${statSync(real).mtimeMs}`);
  return hash.digest("hex").slice(0, 20);
}

/** A file itself, or the Python files anywhere in a folder. */
function filesOf(name: string): string[] {
  const path = join(ROOT, name);
  if (!statSync(path).isDirectory()) return [name];
  const found = readdirSync(path, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".py"));
  return found.sort().map((file) => join(name, file));
}

function ingestSlides(folder: string): void {
  const store = join(folder, "store");
  const ingest = (...args: string[]): unknown => wavescope(store, ["ingest", ...args]);
  ingest("specimen:2900x2330x3", "--id", SLIDES.specimen);
  ingest("specimen:1800x1400x7", "--id", SLIDES.planes, "--steps", "even"); // blocks on level 0 also out of focus
  ingest("specimen:9216x7168x2?seed=5", "--id", SLIDES.large);
  ingest("specimen:1500x1300?seed=3", "--id", SLIDES.lossless, "--profile", "lossless");
  const [mark, scanned, shown] = ["fiducial.png", "scanned.png", "shown.png"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFiducial(mark, FIDUCIAL.width, FIDUCIAL.height, FIDUCIAL);
  ingest(mark, "--id", SLIDES.fiducial);
  execFileSync(PYTHON, [join(ROOT, "e2e", "harness", "profiled_picture.py"), scanned, shown]);
  ingest(scanned, "--id", SLIDES.profiled, "--profile", "lossless");
  for (const [id, real] of realSlides()) ingest(real, "--id", id);
}

/** The slides of the shared data that this machine has, by their ids. */
function realSlides(): Map<string, string> {
  const all = [
    [SLIDES.region, REGION_FILE],
    [SLIDES.minerva, MINERVA_FILE],
  ] as const;
  return new Map(all.flatMap(([id, name]) => (realSlide(name) ? [[id, realSlide(name)!]] : [])));
}
