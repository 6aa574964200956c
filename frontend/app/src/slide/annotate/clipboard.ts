/** Annotations to and from the clipboard: their own text, or GeoJSON, which the service reads. */
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { copied, paste, pastedContents } from "@wavescope/viewer/annotate/selection";
import type { Content } from "@wavescope/core/wire/annotations/annotations";
import { explain } from "@wavescope/core/wire/http/explain";
import { notify } from "../../ui/notice";
import { t } from "@wavescope/core/i18n/i18n";

const FIELDS = ["input", "textarea", "select", "[contenteditable]"];

/** Copies, cuts and pastes until the returned function is called, where no field and no marked text wants it. */
export function followClipboard(annotations: Annotations): () => void {
  const { store } = annotations;
  const take = (event: ClipboardEvent): void => {
    const text = isForText(event) ? null : copied(store);
    if (text === null) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    const { selected } = store.state.getState();
    notify(t("annotate.copied", { count: selected.length }));
    if (event.type === "cut") store.remove(selected);
  };
  const put = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (isForText(event) || !store.state.getState().editable) return;
    if (!place(annotations, text)) return;
    event.preventDefault();
  };
  document.addEventListener("copy", take);
  document.addEventListener("cut", take);
  document.addEventListener("paste", put);
  return () => {
    document.removeEventListener("copy", take);
    document.removeEventListener("cut", take);
    document.removeEventListener("paste", put);
  };
}

/** Whether the text has annotations, which are then added. */
export function place({ store, layer }: Annotations, text: string): boolean {
  let contents: readonly Content[] | null;
  try {
    contents = pastedContents(text);
  } catch {
    store.set({ notice: t("annotate.damagedClipboard") });
    return true;
  }
  if (contents) {
    const { clientWidth, clientHeight } = layer.microscope.viewer.canvas;
    const { x, y } = layer.slidePoint({ x: clientWidth / 2, y: clientHeight / 2 });
    paste(store, contents, [x, y], layer.microscope.plane);
    return true;
  }
  if (!/^\s*[{[][^]*"Feature(Collection)?"/.test(text)) return false;
  store
    .import("geojson", new Blob([text]), t("annotate.clipboard"))
    .then(({ ids }) => store.select(ids))
    .catch((error: unknown) => store.set({ notice: explain(error) }));
  return true;
}

function isForText({ target }: ClipboardEvent): boolean {
  return (target instanceof Element && target.closest(FIELDS.join()) !== null) || getSelection()?.isCollapsed === false;
}
