/** `<wavescope-viewer src="..." plane="1" channels="0:FF0000:10-200:100">` (SH22): the microscope's viewer in any page, without a framework. */
import type { Microscope } from "@wavescope/viewer/core/microscope";
import type { ViewLink } from "@wavescope/viewer/core/viewLink";
import { entriesOfText } from "@wavescope/core/tiles/channels/mixEntries";
import { middlePlane } from "@wavescope/core/wire/slides/manifest";
import { manifestAt } from "./slide";

export type View = Omit<ViewLink, "adjustments">;
type Viewer = typeof import("./microscope");

/** Where there is no document, as on a server, the module can be imported all the same. */
const Element = globalThis.HTMLElement ?? Object;

/** Events: `ready` (detail: id, title, width, height, planes), `view` (detail: View), `failure` (detail: the error). */
export class WavescopeViewer extends Element {
  static readonly observedAttributes = ["src", "plane", "channels"];
  private microscope: Microscope | null = null;
  private viewer: Viewer | null = null;
  private file: File | null = null;
  private opening = 0;

  connectedCallback(): void {
    if (!this.style.display) this.style.display = "block";
    this.open();
  }

  disconnectedCallback(): void {
    this.close();
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (before === value || !this.isConnected) return;
    if (name === "plane" && this.microscope) this.microscope.setPlane(Number(value));
    else if (name === "channels" && this.microscope) this.viewer?.showChannels(this.microscope, value);
    else if (name === "src") this.open();
  }

  /** A file of this computer in place of `src`. */
  set source(file: File | null) {
    this.file = file;
    if (this.isConnected) this.open();
  }

  get source(): File | null {
    return this.file;
  }

  /** Null while no slide is open. */
  get view(): View | null {
    return this.microscope && this.viewer && this.viewer.readViewLink(this.microscope);
  }

  /** Shows a view; fields that are not given do not change. */
  show(view: Partial<View>, immediately = false): void {
    if (!this.microscope || !this.viewer) return;
    this.viewer.showViewLink(this.microscope, { ...this.viewer.readViewLink(this.microscope), ...view }, immediately);
  }

  private open(): void {
    this.close();
    const source = this.file ?? this.getAttribute("src");
    if (source === null || source === "") return;
    const number = this.opening;
    this.begin(source, number).catch((error: unknown) => {
      if (number === this.opening) this.tell("failure", error);
    });
  }

  private async begin(source: string | File, number: number): Promise<void> {
    const [manifest, viewer] = await Promise.all([manifestAt(source), import("./microscope")]);
    this.viewer = viewer;
    if (number !== this.opening) return manifest.files?.close();
    const container = document.createElement("div");
    container.style.cssText = "width:100%;height:100%";
    this.replaceChildren(container);
    const plane = this.getAttribute("plane");
    const first = plane === null ? middlePlane(manifest.planes) : Number(plane);
    const mix = entriesOfText(this.getAttribute("channels") ?? "");
    const microscope = await viewer.openMicroscope(container, manifest, viewer.fallbackReason(""), first, 1, mix);
    if (number !== this.opening) return microscope.close();
    this.microscope = microscope;
    microscope.viewer.addOnceHandler("open", () => {
      viewer.showChannels(microscope, this.getAttribute("channels"));
      const { id, title, width, height, planes } = manifest;
      this.tell("ready", { id, title, width, height, planes });
    });
    microscope.viewer.addHandler("animation-finish", () => this.tell("view", this.view));
  }

  private close(): void {
    this.opening += 1;
    this.microscope?.close();
    this.microscope?.manifest.files?.close();
    this.microscope = null;
    this.replaceChildren();
  }

  private tell(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Makes `<wavescope-viewer>` known to the page; once is enough. */
export function defineViewer(name = "wavescope-viewer"): void {
  if (!customElements.get(name)) customElements.define(name, WavescopeViewer);
}
