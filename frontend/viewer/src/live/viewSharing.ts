/**
 * A microscope in a live session: set to the views of others, and reported when its own user moves it. Anything that moves the viewer while it
 * is not being set, and not because its element got another size, is a movement of its own user: a hand, a key, a link, a tour.
 */
import OpenSeadragon from "openseadragon";
import { parseAdjustments, changedOf } from "../light/adjustments";
import { lightOf, readLight, setLight } from "../light/light";
import type { Microscope } from "../core/microscope";
import { putAt, readNow } from "../compare/following";
import { type View, readView } from "../view/view";
import { type Motion, type Sample, motionOf, movedOn } from "./motion";

export interface SharedMicroscopeEvents {
  /** The own user moves the viewer. */
  handleOwnMove(): void;
  /** The viewer shows another view than before, moved by anyone. */
  sendView(view: View, motion: Motion | null): void;
}

const MOVES = ["pan", "zoom", "rotate", "flip"] as const;

export class SharedMicroscope {
  private readonly stops: (() => void)[] = [];
  /** The view of another member that this viewer is set to; null while it shows the view of its own user. */
  private shown: View | null = null;
  private setting = false;
  private resizing = false;
  private plane: number;
  private last: Sample | null = null;
  private reported = "";
  private light: string;

  constructor(
    readonly microscope: Microscope,
    private readonly events: SharedMicroscopeEvents,
  ) {
    this.plane = microscope.plane;
    this.light = JSON.stringify(readLight(microscope));
    const { viewer } = microscope;
    const on = (name: string, act: () => void): void => {
      viewer.addHandler(name as "pan", act);
      this.stops.push(() => viewer.removeHandler(name as "pan", act));
    };
    for (const name of MOVES) on(name, () => this.moved());
    on("resize", () => (this.resizing = true));
    on("viewport-change", () => this.resized());
    on("update-viewport", () => this.reportView(false));
    on("animation-finish", () => this.reportView(true));
    this.stops.push(
      microscope.state.subscribe(({ plane }, before) => plane !== before.plane && this.planeChanged(plane)),
      lightOf(microscope).state.subscribe(() => this.lightChanged()),
    );
  }

  /** Shows the view of another member: all of its field, centred. */
  show(view: View): void {
    this.shown = view;
    this.set(() => {
      putAt(this.microscope, { ...view, scale: fittingScale(this.microscope, view), adjustments: null });
      this.microscope.setPlane(view.plane);
      const light = parseAdjustments(view.adjustments);
      if (JSON.stringify(light) !== this.light) setLight(this.microscope, light);
    });
    this.plane = this.microscope.plane;
  }

  /** The viewer belongs to its own user again; it does not move. */
  release(): void {
    this.shown = null;
  }

  /** The present or next view of another member: its first picture is fetched after what this viewer needs. */
  prefetchHint(view: View, motion: Motion | null): void {
    const next = motion ? (motion.target ?? movedOn(view, motion)) : view;
    const region = {
      l0_x: next.l0_x - next.l0_width / 2,
      l0_y: next.l0_y - next.l0_height / 2,
      l0_width: next.l0_width,
      l0_height: next.l0_height,
    };
    this.microscope.prefetchHint({ region, rotation: next.rotation, plane: next.plane });
  }

  /** What this viewer shows now. */
  read(): View {
    const { l0_x, l0_y, rotation, flip, plane } = readNow(this.microscope);
    const { region } = this.microscope.reading(true);
    return {
      l0_x,
      l0_y,
      l0_width: region.l0_width,
      l0_height: region.l0_height,
      rotation,
      flip,
      plane,
      adjustments: changedOf(readLight(this.microscope)),
    };
  }

  /** Tells what is looked at once more, also if nothing has changed. */
  report(): void {
    this.reported = "";
    this.reportView(true);
  }

  close(): void {
    for (const stop of this.stops) stop();
    this.microscope.prefetchHint(null);
  }

  private set(work: () => void): void {
    this.setting = true;
    work();
    this.setting = false;
  }

  private moved(): void {
    if (!this.setting && !this.resizing) this.events.handleOwnMove();
  }

  /** After a change of size the viewer shows all of the same field again. */
  private resized(): void {
    if (!this.resizing) return;
    this.resizing = false;
    if (this.shown) this.show(this.shown);
  }

  private planeChanged(plane: number): void {
    if (plane === this.plane) return;
    this.plane = plane;
    if (!this.setting) this.events.handleOwnMove();
    this.reportView(true);
  }

  private lightChanged(): void {
    const light = JSON.stringify(readLight(this.microscope));
    if (light === this.light) return;
    this.light = light;
    if (this.setting) return;
    this.events.handleOwnMove();
    this.reportView(true);
  }

  private reportView(resting: boolean): void {
    const view = this.read();
    const sample = { view, time: performance.now() };
    const target = resting ? null : readView(this.microscope);
    const motion = resting ? null : motionOf(this.last, sample, target);
    this.last = sample;
    const text = JSON.stringify([view, motion !== null]);
    if (text === this.reported) return;
    this.reported = text;
    this.events.sendView(view, motion);
  }
}

/** The scale at which this screen shows all of a view's field, in device pixels per level-0 pixel. */
export function fittingScale({ viewer }: Microscope, view: View): number {
  const { x, y } = viewer.viewport.getContainerSize();
  return OpenSeadragon.pixelDensityRatio * Math.min(x / view.l0_width, y / view.l0_height);
}
