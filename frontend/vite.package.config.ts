import { copyFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import { notices } from "./bundling/notices.ts";
import { usedOpenSeadragon } from "./bundling/openseadragon.ts";
import { textsWithCode } from "./bundling/texts.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The description of the package beside its code. */
function described(): Plugin {
  return {
    name: "wavescope-package",
    writeBundle({ dir = "" }) {
      for (const name of ["package.json", "index.d.ts", "kernel.d.ts", "README.md"])
        copyFileSync(`${here}package/${name}`, `${dir}/${name}`);
      copyFileSync(`${here}../LICENSE`, `${dir}/LICENSE`);
    },
  };
}

const entry = (name: string): string => `${here}src/embed/${name}.ts`;

/**
 * The npm package (static.md, SH20): modules, workers and the kernel, addressed relative to each other. Each part of `index` is an entry,
 * so that bundlers leave out those that a page does not import.
 */
export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [textsWithCode(`${here}src/i18n/en`), usedOpenSeadragon(), notices("NOTICES.txt"), described()],
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
      input: Object.fromEntries(
        ["index", "element", "slide", "tileSource", "kernel"].map((name) => [name, entry(name)]),
      ),
      preserveEntrySignatures: "strict",
      output: {
        entryFileNames: ({ name }) => (["index", "kernel"].includes(name) ? "[name].js" : "parts/[name].js"),
        chunkFileNames: "parts/[name]-[hash].js",
        assetFileNames: ({ names }) =>
          names.includes("kernel.wasm") ? "[name][extname]" : "parts/[name]-[hash][extname]",
      },
    },
  },
});
