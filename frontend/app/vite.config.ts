import react from "@vitejs/plugin-react";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import { compressed } from "../bundling/compressed.ts";
import { chunkGroups, firstLoad } from "../bundling/firstLoad.ts";
import { usedOpenSeadragon } from "../bundling/openseadragon.ts";
import { serviceWorker } from "../bundling/serviceWorker.ts";
import { textsWithCode } from "../bundling/texts.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The page of the contract, `/docs`: Swagger UI as it is published, and the two files in `docs/` that start it. */
function contractPage(): Plugin {
  const viewer = ["swagger-ui.css", "swagger-ui-bundle.js"].map((name) => [
    name,
    `../node_modules/swagger-ui-dist/${name}`,
  ]);
  const own = ["index.html", "start.js"].map((name) => [name, `docs/${name}`]);
  return {
    name: "wavescope-contract-page",
    apply: "build",
    generateBundle() {
      for (const [name, path] of [...viewer, ...own])
        this.emitFile({ type: "asset", fileName: `docs/${name}`, source: readFileSync(`${here}${path}`) });
    },
  };
}

/** Of which components a module imports the styles. */
const styledBy = (path: string): string[] =>
  [...readFileSync(`${here}src/${path}`, "utf8").matchAll(/styles\/([\w-]+)\.layer\.css/g)].map(([, name]) => name!);

/** Chunks that several parts share have the names of all of them: too long for a file. */
const chunkFileNames = ({ name }: { readonly name: string }): string => `assets/${name.replace(/~.*/, "")}-[hash:7].js`;

export default defineConfig({
  plugins: [
    textsWithCode(),
    usedOpenSeadragon(),
    react(),
    contractPage(),
    firstLoad({
      first: styledBy("ui/later/firstStyles.ts"),
      slide: styledBy("slide/page/styles.ts"),
      gallery: styledBy("gallery/styles.ts"),
    }),
    serviceWorker(),
    compressed(),
  ],
  worker: { format: "es" },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false }, // browsers without it load the chunks a little later
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunkGroups }, chunkFileNames } },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    fs: { allow: [repository] },
    // The page's own Host goes along: the service lets changes and live sessions in from the page that it is asked by.
    proxy: { "/api": { target: process.env.WAVESCOPE_API ?? "http://127.0.0.1:8000", ws: true } },
  },
});
