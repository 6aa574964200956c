import { afterEach, describe, expect, it, vi } from "vitest";
import { ContractError } from "../http/errors";
import { stubFetch } from "../http/fetchStub";
import { testManifest } from "../testing";
import { cubeOf, readColour } from "./colourClient";

afterEach(() => vi.unstubAllGlobals());

const manifest = testManifest({ id: "s 1", digest: "d", icc: true, url: "/api/v1/slides/s%201/v/d" });
const NODES = 2;

/** The picture of a table: NODES squares side by side, the pixel of (red, green, blue) holding their numbers. */
function tablePixels(): Uint8ClampedArray {
  const rgba = new Uint8ClampedArray(4 * NODES * NODES * NODES);
  for (let blue = 0; blue < NODES; blue += 1)
    for (let green = 0; green < NODES; green += 1)
      for (let red = 0; red < NODES; red += 1)
        rgba.set([red, green, blue, 255], 4 * (green * NODES * NODES + blue * NODES + red));
  return rgba;
}

function stubPicture(width: number, height: number): { closed: number } {
  const bitmap = { width, height, closed: 0, close: () => (bitmap.closed += 1) };
  vi.stubGlobal("createImageBitmap", () => Promise.resolve(bitmap));
  vi.stubGlobal(
    "OffscreenCanvas",
    class {
      getContext = () => ({ drawImage: () => undefined, getImageData: () => ({ data: tablePixels() }) });
    },
  );
  return bitmap;
}

describe("WI60: reading a slide's colour profile", () => {
  it("asks nothing for a slide without one", async () => {
    const requested = stubFetch(null);
    expect(await readColour(testManifest({ icc: false }))).toEqual({ profile: null, state: "none", table: null });
    expect(requested).toEqual([]);
  });

  it("asks nothing before the slide is imported: a profile is not applied yet (LI5)", async () => {
    const requested = stubFetch(null);
    const unapplied = { profile: null, state: "unapplied", table: null };
    const preview = (icc: boolean, more = {}) => ({ ...testManifest({ icc }), preview: true as const, ...more });
    expect(await readColour(preview(false))).toEqual(unapplied); // a service does not tell
    const files = { client: vi.fn(), fetcher: vi.fn(), close: vi.fn() };
    expect(await readColour(preview(true, { files }))).toEqual(unapplied);
    expect(await readColour(preview(false, { files }))).toMatchObject({ state: "none" });
    expect(requested).toEqual([]);
  });

  it.each(["same", "unusable", "none"])("asks for no table where it is %s", async (state) => {
    const requested = stubFetch({ state, profile: "Aperio", nodes: 33 });
    expect(await readColour(manifest)).toEqual({ profile: "Aperio", state, table: null });
    expect(requested.map(({ line }) => line)).toEqual(["GET /api/v1/slides/s%201/v/d/colour"]);
  });

  it("reads the table from its picture and frees the picture", async () => {
    const bitmap = stubPicture(NODES * NODES, NODES);
    const requested = stubFetch({ state: "table", profile: null, nodes: NODES }, new Response("png"));
    const { state, table } = await readColour(manifest);
    expect([state, table?.nodes, table?.rgb.length, bitmap.closed]).toEqual(["table", NODES, 3 * NODES ** 3, 1]);
    expect(requested[1]!.line).toBe("GET /api/v1/slides/s%201/v/d/colour/table.png");
  });

  it.each([
    [NODES * NODES, NODES + 1],
    [NODES, NODES],
  ])("refuses a picture of %i x %i pixels", async (width, height) => {
    stubPicture(width, height);
    stubFetch({ state: "table", profile: null, nodes: NODES }, new Response("png"));
    const error = await readColour(manifest).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ContractError);
    expect(error).toMatchObject({ rule: "a picture of 4 x 2 pixels" });
  });
});

it("the cube has red fastest, then green, then blue, and no alpha", () => {
  const expected: number[] = [];
  for (const blue of [0, 1]) for (const green of [0, 1]) for (const red of [0, 1]) expected.push(red, green, blue);
  expect([...cubeOf(tablePixels(), NODES)]).toEqual(expected);
});
