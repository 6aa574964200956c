/** What the service tells of a slide's colours (wire/blocks.md, WI60): which ICC profile, and the table that its colours go through. */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import { ContractError } from "../http/errors";
import { type Fetch, request } from "../http/http";
import type { Manifest } from "./manifest";

export interface Colour {
  /** The profile's own name; null if the slide has none, or one without a name. */
  readonly profile: string | null;
  /**
   * `none`: no profile; `same`: its colours are those of sRGB, nothing is to be done; `table`: they go through `table`;
   * `unusable`: it cannot be read; `unapplied`: no service has the slide yet, so nothing is known of a profile but that the file may have it.
   */
  readonly state: Wire.ColourView["state"];
  readonly table: { readonly nodes: number; readonly rgb: Uint8Array } | null;
}

const none: Colour = { profile: null, state: "none", table: null };

export async function readColour(
  manifest: Manifest,
  signal?: AbortSignal,
  fetcher: Fetch = (input, init) => fetch(input, init),
): Promise<Colour> {
  if (manifest.preview && (manifest.icc || !manifest.files)) return { ...none, state: "unapplied" };
  if (!manifest.icc) return none;
  const path = { slide_id: manifest.id, digest: manifest.digest };
  const { state, profile, nodes } = await call("GET /slides/{slide_id}/v/{digest}/colour", { path, signal, fetcher });
  if (state !== "table") return { profile, state, table: null };
  const url = `${manifest.url}/colour/table.png`;
  const picture = await (await request(fetcher, url, { signal })).blob();
  return { profile, state, table: await tableOf(picture, nodes, url) };
}

/** The table lies in the picture as `nodes` squares side by side, one for each blue; red to the right, green downward. */
async function tableOf(picture: Blob, nodes: number, url: string): Promise<{ nodes: number; rgb: Uint8Array }> {
  const bitmap = await createImageBitmap(picture, { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  if (bitmap.width !== nodes * nodes || bitmap.height !== nodes)
    throw new ContractError(`GET ${url}`, "", `a picture of ${nodes * nodes} x ${nodes} pixels`);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d")!;
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { nodes, rgb: cubeOf(context.getImageData(0, 0, nodes * nodes, nodes).data, nodes) };
}

/** From the rows of the picture to the cube, red fastest, then green, then blue. */
export function cubeOf(rgba: Uint8ClampedArray, nodes: number): Uint8Array {
  const rgb = new Uint8Array(3 * nodes ** 3);
  let at = 0;
  for (let blue = 0; blue < nodes; blue++) {
    for (let green = 0; green < nodes; green++) {
      for (let red = 0; red < nodes; red++) {
        const from = 4 * (green * nodes * nodes + blue * nodes + red);
        rgb[at++] = rgba[from]!;
        rgb[at++] = rgba[from + 1]!;
        rgb[at++] = rgba[from + 2]!;
      }
    }
  }
  return rgb;
}
