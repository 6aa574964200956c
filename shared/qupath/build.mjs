// node shared/qupath/build.mjs [--qupath FOLDER] [--out DIR]: the extension for QuPath as a jar, in dist/ (QP12). FOLDER is that of an installed
// QuPath, else QUPATH_HOME names it: the extension is compiled against its jars. The compiler is that of JAVA_HOME, else `javac`.
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Stop, at, command, projectVersion, run } from "../tools/repository.mjs";

const JAVA = "17"; // of QuPath 0.5; later versions run what is compiled for it
const TIME = "1980-01-01T00:00:02+00:00"; // the earliest of a zip file: the same sources give the same bytes
const CORE = /^qupath-core-\d.*\.jar$/;

const java = (name) => (process.env.JAVA_HOME ? join(process.env.JAVA_HOME, "bin", name) : name);
const filesOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

function readArguments(args) {
  try {
    return parseArgs({ args, options: { qupath: { type: "string" }, out: { type: "string" } } }).values;
  } catch (cause) {
    throw new Stop(cause.message, "", 2);
  }
}

/** The folder with the jars of QuPath, wherever the installation for this system has it. */
function jarsOf(qupath) {
  if (!qupath) throw new Stop("Name the folder of an installed QuPath: --qupath FOLDER, or QUPATH_HOME.", "", 2);
  const core = existsSync(qupath) && filesOf(qupath).find((file) => CORE.test(basename(file)));
  if (!core) throw new Stop(`${qupath} has no qupath-core-VERSION.jar.`, "", 2);
  return dirname(core);
}

async function must(program, args) {
  const { code, output } = await run(java(program), args);
  if (code === 127)
    throw new Stop(`${java(program)} is not installed: a JDK of Java ${JAVA} or later is needed.`, output);
  if (code !== 0) throw new Stop("The extension could not be built.", output);
}

async function build(jars, folder, jar) {
  const classes = join(folder, "classes");
  cpSync(at("shared/qupath/resources"), classes, { recursive: true });
  copyFileSync(at("LICENSE"), join(classes, "META-INF/LICENSE"));
  const sources = filesOf(at("shared/qupath/src"));
  const flags = ["--release", JAVA, "-encoding", "UTF-8", "-proc:none", "-cp", join(jars, "*"), "-d", classes];
  await must("javac", [...flags, ...sources]);
  const manifest = join(folder, "MANIFEST.MF");
  writeFileSync(
    manifest,
    `Implementation-Title: Wavescope for QuPath\nImplementation-Version: ${projectVersion()}\nAutomatic-Module-Name: org.wavescope.qupath\n`,
  );
  const inside = filesOf(classes).flatMap((file) => ["-C", classes, relative(classes, file)]);
  await must("jar", ["--create", "--file", jar, "--manifest", manifest, `--date=${TIME}`, ...inside]);
}

command(async (args) => {
  const { qupath = process.env.QUPATH_HOME, out = at("dist") } = readArguments(args);
  const jars = jarsOf(qupath);
  const jar = join(resolve(out), `wavescope-${projectVersion()}-qupath.jar`);
  mkdirSync(dirname(jar), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), "wavescope-qupath-"));
  try {
    await build(jars, folder, jar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(relative(process.cwd(), jar));
});
