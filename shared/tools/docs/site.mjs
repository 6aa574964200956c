// npm run docs [-- OUT]: the documentation site, in dist/site unless OUT names a folder. Its tools are in an environment of their own.
// `--check` builds it and keeps nothing; where the tools cannot be fetched it is skipped, and says so.
import "../node-version.mjs";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative, resolve } from "node:path";
import { Stop, at, command, contentHash, inVenv, once, projectVersion, root, run } from "../repository.mjs";
import { install } from "../setup.mjs";
import { NOTEBOOK, notebook } from "./notebook.mjs";
import {
  HTTP_PAGE,
  NPM_PAGE,
  VECTORS_PAGE,
  PYTHON_PAGE,
  httpReference,
  navigation,
  pythonReference,
  withoutReferences,
} from "./pages.mjs";

const LOCK = "shared/tools/docs/requirements.lock";
const ENVIRONMENT = at("dist/docs-environment");
const WITHOUT = /^shared\/(kernel\/(build|fuzz|test|bench)|vectors|tools)(\/|$)/;
/** Code and binary files that no document shows. */
const NOT_SHOWN = new Set([".c", ".h", ".bin", ".zst", ".npy"]);

/** What uv says if it reaches no registry. */
const UNREACHABLE = /error sending request|dns error|connection|timed? ?out|resolve/i;
const FORMULAS = ["shared/spec/codestream.md"];

async function tools() {
  await once("dist/docs-environment/wavescope-stamp", contentHash([LOCK]), async () => {
    console.log("- installing the tools of the documentation ...");
    rmSync(ENVIRONMENT, { recursive: true, force: true });
    const steps = [
      () => run(inVenv("python"), ["-m", "venv", "--without-pip", ENVIRONMENT]),
      () => install(join(ENVIRONMENT, "bin/python"), "--require-hashes", "-r", at(LOCK)),
    ];
    for (const step of steps) {
      const done = await step();
      if (done.code !== 0) throw new Stop("The tools of the documentation cannot be installed.", done.output);
    }
  });
}

/** The documents at the paths that they have in the repository, so that their links lead where they do there. */
function stage(folder) {
  const shown = (path) => !WITHOUT.test(relative(root, path).replaceAll("\\", "/")) && !NOT_SHOWN.has(extname(path));
  cpSync(at("shared"), join(folder, "shared"), { recursive: true, filter: shown });
  for (const name of FORMULAS) writeFileSync(join(folder, name), withoutReferences(readFileSync(at(name), "utf8")));
  mkdirSync(dirname(join(folder, NPM_PAGE)), { recursive: true });
  mkdirSync(dirname(join(folder, VECTORS_PAGE)), { recursive: true });
  for (const name of ["CHANGELOG.md", "LICENSE", NPM_PAGE, VECTORS_PAGE]) copyFileSync(at(name), join(folder, name));
  copyFileSync(at("README.md"), join(folder, "index.md"));
  mkdirSync(join(folder, "reference"));
  writeFileSync(join(folder, HTTP_PAGE), httpReference());
  writeFileSync(join(folder, PYTHON_PAGE), pythonReference());
  writeFileSync(join(folder, NOTEBOOK), notebook(readFileSync(at("shared/tutorials/client.md"), "utf8")));
}

/** JSON is YAML. Nothing of the site is fetched from elsewhere: no fonts, no scripts. */
const configuration = (documents, out) => ({
  site_name: `Wavescope ${projectVersion()}`,
  docs_dir: documents,
  site_dir: out,
  use_directory_urls: false,
  theme: { name: "material", font: false, features: ["navigation.tabs", "navigation.top", "content.code.copy"] },
  nav: navigation(),
  plugins: [
    "search",
    {
      mkdocstrings: {
        handlers: { python: { paths: [at("backend/src")], options: { show_source: false, heading_level: 2 } } },
      },
    },
  ],
  markdown_extensions: ["tables", "admonition", "pymdownx.superfences", { toc: { permalink: true } }],
  validation: {
    nav: { omitted_files: "ignore" },
    links: { not_found: "warn", anchors: "warn", unrecognized_links: "ignore" },
  },
});

async function build(out) {
  const folder = mkdtempSync(join(tmpdir(), "wavescope-docs-"));
  try {
    stage(join(folder, "docs"));
    const file = join(folder, "mkdocs.yml");
    writeFileSync(file, JSON.stringify(configuration(join(folder, "docs"), out ?? join(folder, "site"))));
    const mkdocs = join(ENVIRONMENT, "bin/mkdocs");
    const env = { ...process.env, NO_MKDOCS_2_WARNING: "1" };
    const done = await run(mkdocs, ["build", "--strict", "--clean", "--config-file", file], { env });
    if (done.code !== 0 || !existsSync(join(out ?? join(folder, "site"), "index.html")))
      throw new Stop("The site could not be built.", done.output);
    for (const line of done.output.split("\n"))
      if (line.startsWith("INFO") && line.includes("contains a link")) console.log(line);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves with whether the tools are there: false where no registry is reached. */
async function haveTools() {
  try {
    await tools();
    return true;
  } catch (cause) {
    if (cause instanceof Stop && UNREACHABLE.test(cause.details)) return false;
    throw cause;
  }
}

command(async ([given]) => {
  if (given === "--check") {
    if (!(await haveTools())) return void console.log("documentation site: skipped - its tools could not be fetched");
    await build();
    return void console.log("documentation site: passed");
  }
  const out = resolve(given ?? at("dist/site"));
  await tools();
  await build(out);
  console.log(`${relative(process.cwd(), out)}/index.html`);
});
