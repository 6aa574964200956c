/** The viewer of the widget: a microscope whose view, annotations and points follow the traits, and the other way round (notebook.md). */
import { middlePlane, type Manifest } from "@wavescope/core/wire/slides/manifest";
import { entriesOfText } from "@wavescope/core/tiles/channels/mixEntries";
import { openArchive } from "@wavescope/core/wire/files/archive";
import { httpFile, httpFolder } from "@wavescope/core/wire/files/http";
import { openExport } from "@wavescope/core/wire/files/open";
import { type Fetch, request } from "@wavescope/core/wire/http/http";
import { annotationsOf } from "@wavescope/viewer/annotate/annotations";
import type { Tool } from "@wavescope/viewer/annotate/store/annotationState";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { PointLayer } from "@wavescope/viewer/points/layer";
import { coloursOf } from "@wavescope/viewer/points/points";
import { selectPoints } from "@wavescope/viewer/points/selecting";
import { fallbackReason, openMicroscope, readViewLink, showChannels, showViewLink } from "../microscope";
import { openRemote } from "../remote";
import type { Model, Source } from "./model";
import { toolbar } from "./toolbar";
import { TraitLink } from "./traitLink";

const KERNEL = "https://kernel.invalid";
/** A notebook shows several slides on one device. */
const VIEWERS = 2;
const SETTLE = 150; // milliseconds without a motion, after which Python gets the view
const DIRECT = 3000; // milliseconds that a service has to answer this page

export interface Opening {
  readonly model: Model;
  readonly frame: HTMLElement;
  readonly fetcher: Fetch;
}

/** Opens the slide of a model in an element; what it returns closes it. */
export async function open({ model, frame, fetcher }: Opening): Promise<() => void> {
  const picture = URL.createObjectURL(new Blob([model.get("_picture") as DataView<ArrayBuffer>]));
  const manifest = await manifestOf(model.get("_source"), fetcher, picture);
  const container = document.createElement("div");
  container.style.cssText = "position:absolute;inset:0";
  frame.append(container);
  const channels = (): string | null => model.get("channels") || null;
  const mix = entriesOfText(channels() ?? "");
  const plane = middlePlane(manifest.planes);
  const microscope = await openMicroscope(container, manifest, fallbackReason(""), plane, VIEWERS, mix);
  await opened(microscope);
  const link = new TraitLink(model);
  showChannels(microscope, channels());
  link.on("channels", () => showChannels(microscope, channels()));
  followView(microscope, link);
  const points = new PointLayer(microscope); // annotations lie above them
  followAnnotations(microscope, link);
  await followPoints(microscope, points, link, fetcher);
  container.append(toolbar(microscope, link));
  link.put("state", "ready");
  return () => {
    link.close();
    microscope.close();
    manifest.files?.close();
    URL.revokeObjectURL(picture);
    container.remove();
  };
}

/** `fetcher`: through the process of the notebook. The service is asked directly where it answers this page without a token. */
async function manifestOf(source: Source, fetcher: Fetch, picture: string): Promise<Manifest> {
  if (source.files !== undefined) {
    const folder = source.files.endsWith("/")
      ? httpFolder(KERNEL + source.files, fetcher)
      : await openArchive(httpFile(KERNEL + source.files, fetcher));
    return (await openExport(folder)).manifest;
  }
  const id = source.slide!;
  const direct = source.direct ? await directly(source.direct, id, source.digest!) : null;
  const through = direct ?? (await openRemote({ origin: KERNEL, id }, fetcher));
  // Images are not fetched by messages; what follows the # is not looked at.
  return { ...through, url: `${picture}#${id}`, files: { ...through.files!, fetcher } };
}

async function directly(origin: string, id: string, digest: string): Promise<Manifest | null> {
  const bounded: Fetch = (input, init) => fetch(input, { ...init, credentials: "omit" });
  try {
    const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), DIRECT));
    const found = await Promise.race([openRemote({ origin, id }, bounded), late]);
    return found?.digest === digest ? found : null;
  } catch {
    return null; // another site's page, another machine: the process of the notebook reads it
  }
}

const opened = ({ viewer }: Microscope): Promise<void> =>
  new Promise((resolve) => {
    if (viewer.isOpen()) return resolve();
    viewer.addOnceHandler("open", () => resolve());
  });

function followView(microscope: Microscope, link: TraitLink): void {
  let reported = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    const { adjustments: _, ...view } = readViewLink(microscope);
    reported = JSON.stringify(view);
    link.put("view", view);
  };
  const show = (immediately: boolean): void => {
    const view = link.model.get("view");
    if (Object.keys(view).length === 0 || JSON.stringify(view) === reported) return;
    showViewLink(microscope, { ...readViewLink(microscope), ...view }, immediately);
  };
  show(true);
  tell();
  link.on("view", () => show(false));
  const settle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(tell, SETTLE);
  };
  const { region, plane, rotation, flip } = microscope.state.getState();
  let before: readonly unknown[] = [region, plane, rotation, flip];
  link.ending(
    microscope.state.subscribe((state) => {
      const now = [state.region, state.plane, state.rotation, state.flip];
      if (JSON.stringify(now) !== JSON.stringify(before)) settle();
      before = now;
    }),
  );
  link.ending(() => clearTimeout(timer));
}

/** A tool of the widget that selects points is none of annotations. */
const toolOf = (name: string): Tool | null => (name === "" || name === "rows" ? null : (name as Tool));

function followAnnotations(microscope: Microscope, link: TraitLink): void {
  const { store } = annotationsOf(microscope);
  const { model } = link;
  const choose = (): void => store.set({ tool: toolOf(model.get("tool")) });
  choose();
  link.on("tool", choose);
  link.on("selected", () => {
    const selected = model.get("selected").filter((id) => store.get(id) !== null);
    if (JSON.stringify(selected) !== JSON.stringify(store.state.getState().selected)) store.set({ selected });
  });
  link.on("_annotations_change", () => store.refresh());
  let { tool, selected } = store.state.getState();
  link.ending(
    store.state.subscribe((state) => {
      if (state.tool !== tool) link.put("tool", state.tool ?? "");
      if (state.selected !== selected) link.put("selected", state.selected);
      ({ tool, selected } = state);
    }),
  );
}

async function followPoints(microscope: Microscope, layer: PointLayer, link: TraitLink, fetcher: Fetch): Promise<void> {
  const { store } = annotationsOf(microscope);
  const bytesAt = async (path: string): Promise<Response> => request(fetcher, KERNEL + path);
  const readSelection = async (): Promise<void> => {
    layer.select(new Uint32Array(await (await bytesAt("/selection")).arrayBuffer()));
  };
  const readPoints = async (): Promise<void> => {
    const response = await bytesAt("/points");
    if (response.status === 204) return layer.show(null);
    const said = JSON.parse(response.headers.get("x-points")!) as { count: number; colours: string[] };
    const bytes = await response.arrayBuffer();
    const xy = new Float32Array(bytes, 0, 2 * said.count);
    layer.show({ xy, codes: new Uint8Array(bytes, xy.byteLength), colours: coloursOf(said.colours) });
    await readSelection();
  };
  const inOrder = (work: () => Promise<void>) => (): void => void work().catch(() => undefined); // the next change reads it again
  link.on("_points_change", inOrder(readPoints));
  link.on("_selection_change", inOrder(readSelection));
  selectPoints(microscope, layer, {
    boxes: () => link.model.get("tool") === "rows",
    isFree: () => store.state.getState().tool === null && store.state.getState().selected.length === 0,
    selected: (rows) => {
      layer.select(rows);
      void fetcher(`${KERNEL}/selection`, { method: "PUT", body: rows });
    },
  });
  await readPoints();
}
