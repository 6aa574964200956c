// Builds shared/kernel/build/kernel.wasm with the pinned compiler of the PyPI package ziglang, and on Linux and macOS the same sources as
// a library of this machine, with which an ingest encodes (backend/src/wavescope/kernel/native.py).
// Skips when the sources, the flags and the compiler are those of the last build (build/kernel.json records them).
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");
const KERNEL = join(ROOT, "shared/kernel");
const BUILD = join(KERNEL, "build");
const WASM = join(BUILD, "kernel.wasm");
const RECORD = join(BUILD, "kernel.json");

const EXPORTS = [
  "ws_scratch_bytes",
  "ws_parameters_bytes",
  "ws_address_bytes",
  "ws_tuning_bytes",
  "ws_output_bytes",
  "ws_window_bytes",
  "ws_encode_bound",
  "ws_crc32c",
  "ws_samples_from_pixels",
  "ws_pixels_from_samples",
  "ws_extend",
  "ws_means",
  "ws_analyze",
  "ws_synthesize",
  "ws_encode",
  "ws_encode_quantised",
  "ws_read_parameters",
  "ws_read_address",
  "ws_decode_block",
  "ws_decode_tile",
  "ws_decode_window",
  "ws_decode_approximation",
  "ws_mix_add",
  "ws_mix_clip",
];
const COMMON = ["-std=c11", "-O3", "-g0", "-fno-sanitize=undefined", "-Wall", "-Wextra", "-Werror"];
/** Without vectors of straight-line code: pairs of numbers in them are what the next symbol waits for (decision 0040). */
const FLAGS = [
  "-target",
  "wasm32-freestanding",
  ...COMMON,
  "-fno-slp-vectorize",
  "-msimd128",
  "-mbulk-memory",
  "-nostdlib",
  "-Wl,--no-entry",
  "-Wl,--strip-all",
  "-Wl,-z,stack-size=131072",
  "-Wl,--export=__heap_base",
  ...EXPORTS.map((name) => `-Wl,--export=${name}`),
];
/** By the names of system and machine in Python; `contract` off: a product and a sum rounded as one would change bytes. */
const SHARED = [...COMMON, "-fPIC", "-shared", "-ffp-contract=off", "-Wl,--strip-all"];
const LIBRARIES = {
  "linux-x86_64": ["-target", "x86_64-linux-gnu.2.28", "-mcpu=x86_64_v3", ...SHARED],
  "linux-aarch64": ["-target", "aarch64-linux-gnu.2.28", ...SHARED],
  "darwin-arm64": ["-target", "aarch64-macos.11.0", ...SHARED],
  "darwin-x86_64": ["-target", "x86_64-macos.11.0", "-mcpu=x86_64_v2", ...SHARED],
};
const MACHINE = `${process.platform}-${process.arch}`.replace("x64", "x86_64").replace("linux-arm64", "linux-aarch64");
const libraryName = (machine) => `kernel-${machine}.so`;
const LIBRARY = MACHINE in LIBRARIES ? join(BUILD, libraryName(MACHINE)) : undefined;

/** The Python that has ziglang: $WAVESCOPE_PYTHON, else the repository's .venv, else python3. */
export function findPython() {
  const inVenv = process.platform === "win32" ? "Scripts/python.exe" : "bin/python";
  const venv = join(ROOT, ".venv", inVenv);
  return process.env.WAVESCOPE_PYTHON ?? (existsSync(venv) ? venv : "python3");
}

/** Every .c and .h of the kernel, fragments included, sorted, relative to its folder. */
function sources() {
  return ["include", "src", "src/entropy"].flatMap((dir) =>
    readdirSync(join(KERNEL, dir))
      .filter((f) => /\.[ch]$/.test(f))
      .sort()
      .map((f) => `${dir}/${f}`),
  );
}

function sha256(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part).update("\0");
  return hash.digest("hex");
}

function run(python, args) {
  const done = spawnSync(python, args, { encoding: "utf8", cwd: KERNEL });
  if (done.error) throw new Error(`cannot run ${python}: ${done.error.message}`);
  if (done.status !== 0)
    throw new Error(`${python} ${args.slice(0, 4).join(" ")} … failed:\n${done.stdout}${done.stderr}`);
  return done.stdout;
}

function compile(python, flags, files, out) {
  const temporary = `${out}.${process.pid}`;
  const units = files.filter((f) => f.endsWith(".c"));
  run(python, ["-m", "ziglang", "cc", ...flags, "-Iinclude", ...units, "-o", temporary]);
  renameSync(temporary, out);
}

/** Whether the files are those of the record, of the same sources, flags and compiler. */
function isUpToDate(record, key) {
  const made = LIBRARY ? [WASM, LIBRARY] : [WASM];
  return record.key === key && made.every(existsSync) && sha256(readFileSync(WASM)) === record.sha256;
}

/** The machines for which there is a library: any of them builds those of all. */
export const MACHINES = Object.keys(LIBRARIES);

/** Builds the library of one of MACHINES; returns its path in the folder. */
export function buildLibrary(machine, folder) {
  const library = join(folder, libraryName(machine));
  compile(findPython(), LIBRARIES[machine], sources(), library);
  return library;
}

/** Builds if needed; returns { wasm, built }. */
export function buildKernel() {
  const python = findPython();
  const compiler = run(python, ["-m", "ziglang", "version"]).trim();
  const files = sources();
  const native = LIBRARIES[MACHINE] ?? [];
  const key = sha256(compiler, ...FLAGS, ...native, ...files, ...files.map((f) => readFileSync(join(KERNEL, f))));
  const record = existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, "utf8")) : {};
  if (isUpToDate(record, key)) return { wasm: WASM, built: false };
  mkdirSync(BUILD, { recursive: true });
  compile(python, FLAGS, files, WASM);
  if (LIBRARY) compile(python, native, files, LIBRARY);
  const bytes = readFileSync(WASM);
  const written = {
    key,
    sha256: sha256(bytes),
    bytes: bytes.length,
    compiler: `ziglang ${compiler}`,
    flags: FLAGS,
    files,
  };
  writeFileSync(RECORD, `${JSON.stringify(written, null, 2)}\n`);
  return { wasm: WASM, built: true };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const { wasm, built } = buildKernel();
    console.log(`${relative(ROOT, wasm)} ${built ? "built" : "is up to date"}`);
  } catch (error) {
    console.error(String(error instanceof Error ? error.message : error));
    process.exit(1);
  }
}
