#!/usr/bin/env node
// npx wavescope FOLDER [SLIDE]: the files of a page of your own that shows a slide.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";

const [target, slide, ...more] = process.argv.slice(2);
if (!target || target.startsWith("-") || more.length) {
  console.log(`usage: npx wavescope FOLDER [SLIDE]

Writes a page that shows a slide into the new FOLDER: SLIDE is the address of a slide of a service
(https://host/slides/ID), of an exported folder, or of a .wsz file. Without it the page opens a .wsz file
of the reader's computer.`);
  process.exit(target === "--help" ? 0 : 2);
}
const folder = resolve(target);
if (existsSync(folder) && readdirSync(folder).length) {
  console.error(`${target} is not empty: name a new folder.`);
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

const FILES = {
  "package.json": `${JSON.stringify(
    {
      name:
        basename(folder)
          .toLowerCase()
          .replaceAll(/[^a-z0-9._-]+/g, "-")
          .replace(/^[._-]+/, "") || "slides",
      private: true,
      type: "module",
      scripts: { dev: "vite", build: "vite build", preview: "vite preview" },
      dependencies: { wavescope: `^${version}` },
      devDependencies: { vite: "^8.0.0" },
    },
    null,
    2,
  )}\n`,
  "vite.config.js": `// The viewer's modules start workers beside them, so they are served as they are.
export default { base: "./", worker: { format: "es" }, optimizeDeps: { exclude: ["wavescope"] } };
`,
  "index.html": `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Slide</title>
    <style>
      body { margin: 0; height: 100dvh; display: flex; flex-direction: column; font-family: system-ui, sans-serif }
      header { padding: 8px 12px }
      wavescope-viewer { flex: 1; min-height: 0 }
    </style>
  </head>
  <body>
    <header>${slide ? "" : '<label>Open a .wsz file <input type="file" accept=".wsz" /></label>'}<output></output></header>
    <wavescope-viewer${slide ? ` src="${escaped(slide)}"` : ""}></wavescope-viewer>
    <script type="module" src="/main.js"></script>
  </body>
</html>
`,
  "main.js": `import { defineViewer } from "wavescope";

const viewer = document.querySelector("wavescope-viewer");
const said = document.querySelector("output");
viewer.addEventListener("ready", () => (said.textContent = ""));
viewer.addEventListener("failure", ({ detail }) => (said.textContent = detail.message));
${slide ? "" : 'document.querySelector("input").addEventListener("change", ({ target }) => (viewer.source = target.files[0]));\n'}defineViewer();
`,
};

mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
console.log(`${target} has a page of your own. Next:

  cd ${target}
  npm install
  npm run dev`);
