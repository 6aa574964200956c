/** Focusing by itself, plane after plane and back (focus.md). State without React. */
import { createStore } from "zustand/vanilla";
import type { Microscope } from "../core/microscope";

/** Planes per second. */
export const SPEEDS = [1, 2, 4, 8] as const;

export interface Playing {
  readonly playing: boolean;
  readonly speed: (typeof SPEEDS)[number];
}

const stores = new WeakMap<Microscope, ReturnType<typeof createPlaying>>();
const createPlaying = () => createStore<Playing>(() => ({ playing: false, speed: 2 }));

export function playingOf(microscope: Microscope) {
  let store = stores.get(microscope);
  if (!store) stores.set(microscope, (store = createPlaying()));
  return store;
}

/** The plane after this one on the way up and down again, and the direction then. */
export function nextPlane(plane: number, direction: 1 | -1, planes: number): { plane: number; direction: 1 | -1 } {
  const inside = plane + direction >= 0 && plane + direction < planes;
  const onward = inside ? direction : direction === 1 ? -1 : 1;
  return { plane: plane + onward, direction: onward };
}

/** Keys that only change what others mean. */
const MODIFIERS = ["Shift", "Control", "Alt", "AltGraph", "Meta"];
const INPUTS = ["pointerdown", "wheel", "keydown"];

/**
 * Steps through the planes, at the chosen speed and no faster than their pictures come, until it is called again or the user presses,
 * turns or types anything. `isOwn`: a press on a control of this, which says itself what it does. `input`: where presses arrive.
 */
export function togglePlay(
  microscope: Microscope,
  isOwn: (target: EventTarget | null) => boolean = () => false,
  input: EventTarget = window,
): void {
  const store = playingOf(microscope);
  if (store.getState().playing) return store.setState({ playing: false });
  let direction: 1 | -1 = 1;
  let since = performance.now();
  let timer: ReturnType<typeof setTimeout>;
  const tick = (): void => {
    const interval = 1000 / store.getState().speed;
    if (performance.now() - since >= interval && microscope.state.getState().fidelity !== "preview") {
      since = performance.now();
      const next = nextPlane(microscope.plane, direction, microscope.manifest.planes);
      direction = next.direction;
      microscope.setPlane(next.plane);
    }
    timer = setTimeout(tick, interval / 4);
  };
  const stop = (): void => store.setState({ playing: false });
  const used = (event: Event): void => {
    if (isOwn(event.target)) return;
    const { key, repeat } = event as Partial<KeyboardEvent>;
    if (event.type === "keydown" && (repeat || MODIFIERS.includes(key!))) return;
    setTimeout(stop); // after a key that plays and stops
  };
  store.setState({ playing: true });
  for (const kind of INPUTS) input.addEventListener(kind, used, { capture: true, passive: true });
  const end = store.subscribe(({ playing }) => {
    if (playing) return;
    clearTimeout(timer);
    for (const kind of INPUTS) input.removeEventListener(kind, used, { capture: true });
    end();
  });
  microscope.viewer.addOnceHandler("before-destroy", stop);
  timer = setTimeout(tick, 0);
}

/** The next of the speeds, and from the fastest the slowest again. */
export function changeSpeed(microscope: Microscope): void {
  playingOf(microscope).setState(({ speed }) => ({ speed: SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]! }));
}
