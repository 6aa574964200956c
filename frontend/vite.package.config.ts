import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import { usedOpenSeadragon } from "./bundling/openseadragon.ts";
import { textsWithCode } from "./bundling/texts.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The description of the package beside its code. */
function described(): Plugin {
  return {
    name: "wavescope-package",
    writeBundle({ dir = "" }) {
      for (const name of ["package.json", "index.d.ts", "README.md"])
        copyFileSync(`${here}package/${name}`, `${dir}/${name}`);
    },
  };
}

/** The npm package (static.md, SH20): one module with its workers and its kernel, addressed relative to it. */
export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [textsWithCode(`${here}src/i18n/en`), usedOpenSeadragon(), described()],
  worker: { format: "es" },
  build: {
    outDir: `${here}dist/package`,
    emptyOutDir: true,
    assetsDir: "parts",
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 1500,
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { index: `${here}src/embed/index.ts` },
      preserveEntrySignatures: "strict",
      output: { entryFileNames: "[name].js", chunkFileNames: "parts/[name]-[hash].js" },
    },
  },
});
