/**
 * What a notebook keeps of the widget: it shows the picture of the slide, and the viewer in its place once the process of the notebook has sent
 * the viewer's code. So a saved notebook has a few kilobytes for each slide, and without a process it shows the picture (notebook.md, NB2, NB6).
 */
import { t } from "@wavescope/core/i18n/i18n";
import { kernelFetch } from "./kernelFetch";
import type { Model } from "./model";

type Viewer = typeof import("./viewer");

const PATIENCE = 20_000; // milliseconds after which the picture says that no process answers
const LINE =
  "position:absolute;left:0;right:0;bottom:0;padding:4px 8px;background:rgb(0 0 0 / 70%);color:#fff;font:12px sans-serif";
const shared = globalThis as { wavescopeViewers?: Map<string, Promise<Viewer>> };

export default {
  render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
    const frame = document.createElement("div");
    frame.className = "wavescope";
    // Keys are for the viewer, not for the cells of the notebook.
    frame.dataset.lmSuppressShortcuts = "true";
    const size = (): void => void (frame.style.height = `${model.get("height")}px`);
    frame.style.cssText = "position:relative;overflow:hidden;width:100%";
    size();
    model.on("change:height", size);
    const picture = document.createElement("img");
    picture.src = URL.createObjectURL(new Blob([model.get("_picture") as DataView<ArrayBuffer>]));
    picture.alt = model.get("_source").slide ?? "";
    picture.style.cssText = "position:absolute;inset:0;width:100%;height:100%;object-fit:contain;background:#fff";
    frame.append(picture);
    el.append(frame);
    const kernel = kernelFetch(model);
    const line = document.createElement("div");
    const note = setTimeout(() => say(t("notebook.noProcess")), PATIENCE);
    const say = (text: string): void => {
      line.setAttribute("role", "status");
      line.textContent = text;
      line.style.cssText = LINE;
      frame.append(line);
    };
    let ended = false;
    let close = (): void => undefined;
    const open = async (): Promise<void> => {
      const viewer = await codeOf(model.get("_source").code, kernel.fetch);
      if (ended) return;
      close = await viewer.open({ model, frame, fetcher: kernel.fetch });
      if (ended) return close();
      clearTimeout(note);
      line.remove();
      picture.remove(); // it would be seen beside the slide
    };
    open().catch((error: unknown) => {
      clearTimeout(note);
      if (ended) return;
      const reason = error instanceof Error ? error.message : String(error);
      say(t("notebook.failed", { reason }));
      model.set("state", reason || "failed");
      model.save_changes();
    });
    return () => {
      ended = true;
      clearTimeout(note);
      kernel.close();
      model.off("change:height", size);
      close();
      URL.revokeObjectURL(picture.src);
      frame.remove();
    };
  },
};

/** The viewer's code, once for all widgets of a page. */
function codeOf(version: string, fetcher: (path: string) => Promise<Response>): Promise<Viewer> {
  const known = (shared.wavescopeViewers ??= new Map<string, Promise<Viewer>>());
  const found = known.get(version) ?? load(fetcher);
  known.set(version, found);
  found.catch(() => known.delete(version));
  return found;
}

async function load(fetcher: (path: string) => Promise<Response>): Promise<Viewer> {
  const bytes = await (await fetcher("/viewer.js")).arrayBuffer();
  const address = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  try {
    return (await import(/* @vite-ignore */ address)) as Viewer;
  } finally {
    URL.revokeObjectURL(address);
  }
}
