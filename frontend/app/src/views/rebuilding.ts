/** The items of a linked page made again: each view in a viewer that nobody sees (PG75). Comes when it is needed: import it dynamically. */
import { entriesIn } from "@wavescope/core/tiles/channels/mixEntries";
import { annotationsOf } from "@wavescope/viewer/annotate/annotations";
import { fallbackReason } from "@wavescope/viewer/core/device/capabilities";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { newId } from "@wavescope/viewer/core/newId";
import { parseViewLink } from "@wavescope/viewer/core/viewLink";
import { openMicroscope } from "@wavescope/viewer/navigation/openMicroscope";
import { showViewLink } from "@wavescope/viewer/view/view";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import { manifestQuery, queryClient } from "../state/queries";
import { parseRoute } from "../state/router";
import { viewItem } from "./adding";
import type { Planned } from "./pageLink";
import type { Item, ViewItem } from "./sheets";

/** Milliseconds within which the annotations of a slide are there, or the picture has none. */
const PATIENCE = 10_000;

/** Those that can be made; `report`: how many were tried. */
export async function rebuilt(planned: readonly Planned[], report: (done: number) => void): Promise<Item[]> {
  const items: Item[] = [];
  for (const [i, item] of planned.entries()) {
    const made = await itemOf(item).catch(() => null); // the slide may be gone, or may not be seen
    if (made) items.push(made);
    report(i + 1);
  }
  return items;
}

async function itemOf(planned: Planned): Promise<Item> {
  if (planned.kind === "text") return { ...planned, id: newId() };
  const { pathname, hash } = new URL(planned.link, location.origin);
  const route = parseRoute(pathname);
  if (route.page !== "slide") throw new Error(`no slide: ${pathname}`);
  const manifest = await queryClient.query({ ...manifestQuery(route.id), retry: false });
  if (planned.kind === "count") return { ...planned, id: newId(), slide: manifest.title };
  return viewAgain(manifest, hash, planned.caption, planned.shape!);
}

async function viewAgain(
  manifest: Manifest,
  hash: string,
  caption: string,
  { width, height, parts }: NonNullable<ViewItem["shape"]>,
): Promise<Item> {
  const view = parseViewLink(hash);
  if (!view) throw new Error(`no view: ${hash}`);
  const element = document.createElement("div");
  const [css_width, css_height] = [`${width / devicePixelRatio}px`, `${height / devicePixelRatio}px`];
  Object.assign(element.style, { position: "fixed", left: "-99999px", top: "0", width: css_width, height: css_height });
  element.inert = true;
  document.body.append(element);
  let microscope: Microscope | null = null;
  try {
    const mix = entriesIn(view.adjustments ?? {});
    microscope = await openMicroscope(element, manifest, fallbackReason(), view.plane, 1, mix);
    const { viewer } = microscope;
    await new Promise<void>((resolve) => viewer.addOnceHandler("open", () => resolve()));
    showViewLink(microscope, view, true);
    if (parts.includes("annotations")) await annotationsDrawn(microscope);
    return await viewItem(microscope, parts, caption);
  } finally {
    microscope?.close();
    element.remove();
  }
}

async function annotationsDrawn(microscope: Microscope): Promise<void> {
  const { store, layer } = annotationsOf(microscope);
  const end = performance.now() + PATIENCE;
  while ((store.state.getState().save === "loading" || !layer.settled) && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 50));
}
