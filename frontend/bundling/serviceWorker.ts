import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { type Plugin, type Rolldown, build } from "vite";

const SOURCE = fileURLToPath(new URL("../app/src/serviceWorker.ts", import.meta.url));

/** `sw.js`: the service worker with the list of the files of this build (PG10). */
export function serviceWorker(): Plugin {
  return {
    name: "wavescope-service-worker",
    apply: "build",
    enforce: "post",
    async generateBundle(_options, bundle) {
      const files = Object.values(bundle).flatMap((one) => storedFile(one) ?? []);
      const built = await build({
        configFile: false,
        logLevel: "error",
        define: { FILES: JSON.stringify(files), "process.env.NODE_ENV": '"production"' },
        build: {
          write: false,
          target: "es2022",
          rolldownOptions: { input: SOURCE, output: { format: "es", codeSplitting: false } },
        },
      });
      const [{ output }] = [built].flat() as [Rolldown.RolldownOutput];
      this.emitFile({ type: "asset", fileName: "sw.js", source: output[0].code });
    },
  };
}

/** The codecs of slide files, which few visitors need (LI7). */
const NOT_STORED = /^assets\/(libjpegturbo|openjpeg)/;

/** A name below `assets/` has a hash of its content; other files are stored with one. */
function storedFile(
  file: Rolldown.OutputChunk | Rolldown.OutputAsset,
): { url: string; revision: string | null } | null {
  const { fileName } = file;
  if (!/^(assets\/|index\.html$)/.test(fileName) || fileName.endsWith(".map") || NOT_STORED.test(fileName)) return null;
  const content = file.type === "chunk" ? file.code : file.source;
  const revision = fileName.startsWith("assets/")
    ? null
    : createHash("sha256").update(content).digest("hex").slice(0, 16);
  return { url: `/${fileName}`, revision };
}
