// Builds shared/openjpeg/openjpeg.wasm from the sources of OpenJPEG (shared/openjpeg/README.md): node shared/tools/build-openjpeg.mjs FOLDER
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stop, at } from "./repository.mjs";

const [source] = process.argv.slice(2);
if (!source) throw new Stop("usage: node shared/tools/build-openjpeg.mjs FOLDER");

const library = join(source, "vendor/src/lib/openjp2");
const NOT_COMPILED = /^(bench_|t1_generate|t1_ht_generate|test_|cidx|phix|ppix|thix|tpix)/;
const FLAGS = ["-O3", "-w", `-I${library}`, `-I${join(source, "config")}`];
const DEFINES = ["-DOPJ_HAVE_POSIX_MEMALIGN=1", "-DOPJ_STATIC=1", "-DMUTEX_stub=1"];
const LINK = ["-sSTANDALONE_WASM", "--no-entry", "-sALLOW_MEMORY_GROWTH=1", "-sMAXIMUM_MEMORY=512MB"];

const run = (...words) => execFileSync("emcc", [...FLAGS, ...DEFINES, ...words], { stdio: "inherit" });

const objects = mkdtempSync(join(tmpdir(), "openjpeg-"));
try {
  const mct = join(objects, "mct.o");
  // Of this function tile_decoder.c has its own.
  run("-Dopj_mct_decode_real=opj_mct_decode_real_plain", "-c", join(library, "mct.c"), "-o", mct);
  const others = readdirSync(library).filter(
    (name) => name.endsWith(".c") && name !== "mct.c" && !NOT_COMPILED.test(name),
  );
  const sources = [at("shared/openjpeg/tile_decoder.c"), mct, ...others.map((name) => join(library, name))];
  run(...sources, ...LINK, "-o", at("shared/openjpeg/openjpeg.wasm"));
} finally {
  rmSync(objects, { recursive: true });
}
