// deck.gl with the outlines of cells as binary attributes, as its manual recommends for many: the peer that overlays are measured beside. `benchDeck` is what
// the bench calls.
import { Deck, OrthographicView } from "@deck.gl/core";
import { PathLayer } from "@deck.gl/layers";

const CORNERS = 20;
let deck;
let drawn = () => undefined;

const viewAt = (x, y, scale) => ({ target: [x, y, 0], zoom: Math.log2(scale) });

/** Milliseconds from now until a change is drawn. */
async function untilDrawn(change) {
  const begin = performance.now();
  const next = new Promise((resolve) => (drawn = resolve));
  change();
  await next;
  const { gl } = deck.device;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // what was asked for is drawn
  return performance.now() - begin;
}

window.benchDeck = {
  /** Fetches float32 x, y of closed rings of 20 corners, and draws them; milliseconds until they are seen. */
  async open(address, x, y, scale) {
    const begin = performance.now();
    const value = new Float32Array(await (await fetch(address)).arrayBuffer());
    const length = value.length / 2 / (CORNERS + 1);
    const startIndices = Uint32Array.from({ length: length + 1 }, (_, i) => i * (CORNERS + 1));
    const layer = new PathLayer({
      id: "cells",
      data: { length, startIndices, attributes: { getPath: { value, size: 2 } } },
      positionFormat: "XY",
      _pathType: "open",
      getColor: [200, 0, 0],
      getWidth: 1.5,
      widthUnits: "pixels",
    });
    const ready = performance.now() - begin;
    const first = await untilDrawn(() => {
      deck = new Deck({
        parent: document.body,
        views: new OrthographicView({ id: "view", flipY: true }),
        initialViewState: viewAt(x, y, scale),
        layers: [layer],
        onAfterRender: () => drawn(),
      });
    });
    return ready + first;
  },
  show: (x, y, scale) => untilDrawn(() => deck.setProps({ initialViewState: viewAt(x, y, scale) })),
};
