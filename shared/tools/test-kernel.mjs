// Builds the kernel natively under the address and undefined-behaviour sanitizers and runs its tests, then every stored input
// of the fuzzers. Takes clang or gcc; where neither is installed, `zig cc` with traps on undefined behaviour.
// `--fuzz SECONDS [header|encode] [full]` runs libFuzzer (clang) from the stored corpus on a build with small tiles, or tiles of full
// size, whose longer rows reach larger sums; new inputs go to build/native/found or found-encode.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { findPython } from "./build-kernel.mjs";

const KERNEL = resolve(dirname(fileURLToPath(import.meta.url)), "../kernel");
const BUILD = join(KERNEL, "build/native");
const SANITIZE = ["-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all"];
const TARGETS = { decode: "corpus", encode: "corpus-encode" }; // fuzz/fuzz_NAME.c and the folder of its stored inputs
const files = (dir, end) =>
  readdirSync(join(KERNEL, dir))
    .filter((f) => f.endsWith(end))
    .sort()
    .map((f) => join(dir, f));

function works(command, args) {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** A compiler and its flags to catch undefined behaviour. */
function compiler() {
  for (const name of ["clang", "gcc"])
    if (works(name, ["--version"])) return { name, command: [name], flags: SANITIZE };
  const flags = ["-fsanitize=undefined", "-fsanitize-trap=undefined"];
  return { name: "zig cc", command: [findPython(), "-m", "ziglang", "cc"], flags };
}

function run(command, args) {
  const done = spawnSync(command, args, { cwd: KERNEL, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  if (done.error) throw new Error(`cannot run ${command}: ${done.error.message}`);
  return done;
}

const options = (flags, extra) => {
  const folders = ["include", "test"].map((folder) => `-I${join(KERNEL, folder)}`);
  return ["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", ...flags, ...extra, ...folders];
};

/** The objects of the kernel itself: compiled once for all programs with the same `extra` options. */
function compileKernel({ command, flags }, name, extra = []) {
  const folder = join(BUILD, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return files("src", ".c").map((source) => {
    const object = join(folder, `${basename(source, ".c")}.o`); // one call for each: `zig cc` writes one object a call
    const done = run(command[0], [...command.slice(1), ...options(flags, extra), "-c", source, "-o", object]);
    if (done.status !== 0) throw new Error(`compiling ${source} failed`);
    return object;
  });
}

/** A program of `sources`, which are C files and objects. */
function compile({ command, flags }, name, sources, extra = []) {
  const out = join(BUILD, process.platform === "win32" ? `${name}.exe` : name);
  const done = run(command[0], [...command.slice(1), ...options(flags, extra), ...sources, "-o", out]);
  if (done.status !== 0) throw new Error(`compiling ${name} failed`);
  return out;
}

function passedIn(done) {
  process.stdout.write(done.stdout);
  const counts = [...done.stdout.matchAll(/(\d+) passed, (\d+) failed/g)].at(-1);
  if (!counts || (done.status !== 0 && counts[2] === "0")) return { passed: Number(counts?.[1] ?? 0), failed: 1 };
  return { passed: Number(counts[1]), failed: Number(counts[2]) };
}

function test() {
  const chosen = compiler();
  mkdirSync(BUILD, { recursive: true });
  console.log(`native tests with ${chosen.name} ${chosen.flags.join(" ")}`);
  const sizes = [[], ["-DWS_SMALL_TILES"]];
  const kernels = sizes.map((size, i) => compileKernel(chosen, `kernel${i}`, size));
  const runs = [
    passedIn(run(compile(chosen, "test_kernel", [...files("test", ".c"), ...kernels[0]]), [])),
    ...Object.entries(TARGETS).flatMap(([name, corpus]) =>
      sizes.map((size, i) => {
        const sources = [`fuzz/fuzz_${name}.c`, ...kernels[i]];
        const program = compile(chosen, `fuzz_${name}${i}`, sources, ["-DFUZZ_MAIN", ...size]);
        return passedIn(run(program, files(`fuzz/${corpus}`, "")));
      }),
    ),
  ];
  const [passed, failed] = ["passed", "failed"].map((key) => runs.reduce((sum, one) => sum + one[key], 0));
  console.log(`kernel: ${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function fuzz(seconds, words) {
  const name = words.includes("encode") ? "encode" : "decode";
  const found = join(BUILD, name === "encode" ? "found-encode" : "found");
  mkdirSync(found, { recursive: true });
  const clang = {
    command: ["clang"],
    flags: [`${SANITIZE[0]},fuzzer`, "-fno-sanitize-coverage=trace-cmp", SANITIZE[1]],
  };
  const size = words.includes("full") ? [] : ["-DWS_SMALL_TILES"],
    header = words.includes("header") ? ["-DFUZZ_HEADER"] : [];
  const sources = [...files("src", ".c"), `fuzz/fuzz_${name}.c`];
  const target = compile(clang, `fuzz_${name}`, sources, ["-O2", ...size, ...header]);
  const args = [
    `-max_total_time=${seconds}`,
    "-max_len=4096",
    "-print_final_stats=1",
    found,
    join(KERNEL, "fuzz", TARGETS[name]),
  ];
  return spawnSync(target, args, { cwd: BUILD, stdio: "inherit" }).status ?? 1;
}

try {
  const at = process.argv.indexOf("--fuzz");
  process.exitCode = at < 0 ? test() : fuzz(Number(process.argv[at + 1]), process.argv.slice(at + 2));
} catch (error) {
  console.error(String(error instanceof Error ? error.message : error));
  process.exitCode = 1;
}
