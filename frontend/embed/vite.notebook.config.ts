import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { inlineWorkers } from "../bundling/inlineWorkers.ts";
import { usedOpenSeadragon } from "../bundling/openseadragon.ts";
import { textsWithCode } from "../bundling/texts.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * A part of the widget of notebooks (notebook.md), named by the mode of the build: `widget`, which a notebook keeps, or `viewer`, which the process of the notebook sends. Each
 * is one module with all that it needs, workers and kernel included: it has no address that files could be beside.
 */
export default defineConfig(({ mode: name }) => ({
  base: "./",
  publicDir: false,
  plugins: [textsWithCode(), usedOpenSeadragon(), inlineWorkers()],
  worker: { format: "es" },
  build: {
    outDir: `${here}../dist/notebook`,
    emptyOutDir: name === "widget",
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 2500,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    rolldownOptions: {
      input: { [name]: `${here}src/notebook/${name}.ts` },
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", codeSplitting: false },
    },
  },
}));
