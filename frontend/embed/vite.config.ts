import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { type Plugin, defineConfig } from "vite";
import { notices } from "../bundling/notices.ts";
import { usedOpenSeadragon } from "../bundling/openseadragon.ts";
import { textsWithCode } from "../bundling/texts.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

/** The description of the package beside its code. */
function described(): Plugin {
  return {
    name: "wavescope-package",
    writeBundle({ dir = "" }) {
      for (const name of ["create.mjs", "index.d.ts", "kernel.d.ts", "README.md", "../../LICENSE"])
        copyFileSync(`${here}${name}`, `${dir}/${basename(name)}`);
      const own = JSON.parse(readFileSync(`${here}package.json`, "utf8")) as Record<string, unknown>;
      const published = Object.entries(own).filter(([name]) => name !== "scripts" && name !== "devDependencies");
      writeFileSync(`${dir}/package.json`, `${JSON.stringify(Object.fromEntries(published), null, 2)}\n`);
    },
  };
}

const entry = (name: string): string => `${here}src/${name}.ts`;

/**
 * The npm package (static.md, SH20): modules, workers and the kernel, addressed relative to each other. Each part of `index` is an entry,
 * so that bundlers leave out those that a page does not import.
 */
export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [textsWithCode(), usedOpenSeadragon(), notices("NOTICES.txt"), described()],
  worker: { format: "es" },
  build: {
    outDir: `${here}../dist/package`,
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
