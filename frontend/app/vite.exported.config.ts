import react from "@vitejs/plugin-react";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { openedFromDisk } from "../bundling/openedFromDisk.ts";
import { notices } from "../bundling/notices.ts";
import { usedOpenSeadragon } from "../bundling/openseadragon.ts";
import { textsWithCode } from "../bundling/texts.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/**
 * The page of exported slides (static.md, SH9): a build of its own, whose addresses are relative, so that it works in any folder of any web
 * server; the first load of the microscope does not change with it. It comes after the build of the microscope, into its folder.
 */
export default defineConfig({
  root: `${here}exported`,
  base: "./",
  publicDir: `${here}public`,
  resolve: {
    alias: { "../generated/laterAnswers": `${here}src/exported/answers.ts` },
  },
  plugins: [
    textsWithCode(),
    usedOpenSeadragon(),
    react(),
    notices("page/NOTICES.txt"),
    openedFromDisk("page/openedFromDisk.js"),
  ],
  worker: { format: "es" },
  build: {
    outDir: `${here}../dist/exported`,
    emptyOutDir: true,
    assetsDir: "page",
    target: "es2022",
    modulePreload: { polyfill: false },
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
    assetsInlineLimit: 0,
  },
});
