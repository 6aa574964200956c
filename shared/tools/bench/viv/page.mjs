// Viv on the OME-Zarr of a slide, as its manual shows it: the peer that channels are measured beside. `benchViv` is what the bench calls.
import { Deck, OrthographicView } from "@deck.gl/core";
import { MultiscaleImageLayer, loadOmeZarr } from "@hms-dbmi/viv";

let deck, data, shown;
let loaded = () => undefined;
let drawn = () => undefined;

function layer() {
  const { channels, selections, high } = shown;
  return new MultiscaleImageLayer({
    id: "slide",
    loader: data,
    selections, // others are other tiles to it, also if they are equal
    contrastLimits: channels.map((c) => [0, c === 0 ? high : 3000]),
    channelsVisible: channels.map(() => true),
    colors: channels.map((c) => [c % 2 ? 255 : 0, c % 3 ? 255 : 0, c % 5 ? 255 : 0]),
    onViewportLoad: () => loaded(),
  });
}

/** From now until it is drawn; `whole`: with all tiles of the view. */
async function untilDrawn(change, whole) {
  const begin = performance.now();
  const complete = whole && new Promise((resolve) => (loaded = resolve));
  const frame = () => new Promise((resolve) => (drawn = resolve));
  const next = frame();
  change();
  await next;
  if (complete) {
    await complete;
    const last = frame();
    deck.redraw("all tiles are here");
    await last;
  }
  const { gl } = deck.device;
  gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); // what was asked for is drawn
  return performance.now() - begin;
}

const selectionsOf = (channels) => channels.map((c) => ({ c, z: 0 }));
const viewAt = ([x, y]) => ({ target: [x, y, 0], zoom: 0 });

window.benchViv = {
  async open(address, channels, centre) {
    ({ data } = await loadOmeZarr(address, { type: "multiscales" }));
    shown = { channels, selections: selectionsOf(channels), high: 3000 };
    const change = () => {
      deck = new Deck({
        parent: document.body,
        views: new OrthographicView({ id: "view", flipY: true }),
        initialViewState: viewAt(centre),
        layers: [layer()],
        onAfterRender: () => drawn(),
      });
    };
    return untilDrawn(change, true);
  },
  field: (centre) => untilDrawn(() => deck.setProps({ initialViewState: viewAt(centre) }), true),
  channels: (channels) => untilDrawn(() => show({ channels, selections: selectionsOf(channels) }), true),
  window: (high) => untilDrawn(() => show({ high }), false),
};

function show(change) {
  shown = { ...shown, ...change };
  deck.setProps({ layers: [layer()] });
}
