import { describe, expect, it } from "vitest";
import { address } from "../../geometry/pyramid";
import { CutStreamError } from "../http/errors";
import { type Frame } from "./batchFrames";
import { HttpSlideClient, type SlideClient } from "./slideClient";
import { frameBytes, joinBytes, pageBytes, testManifest, parameterSet } from "../testing";
import { bytesOfHex } from "./hexadecimal";
import { pageSeed } from "./layerIndex";

const manifest = testManifest({ width: 1024, height: 1024, layers: 2, url: "/api/v1/slides/s/v/d" });

function clientOf(response: Uint8Array) {
  const asked: { url: string; body: unknown }[] = [];
  let received = 0;
  const traffic = { requested: () => undefined, received: (bytes: number) => (received += bytes) };
  const client = new HttpSlideClient(manifest, traffic, (url, init) => {
    asked.push({ url, body: init?.body });
    return Promise.resolve(new Response(response as Uint8Array<ArrayBuffer>));
  });
  return { client, asked, received: () => received };
}

async function collect(client: SlideClient): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of client.batch([{ address: address(1, 0, 2, 3), from: 1, to: 2 }])) frames.push(frame);
  return frames;
}

describe("HttpSlideClient", () => {
  it("asks for a batch as WI17 says and counts the bytes of the answer", async () => {
    const response = joinBytes(frameBytes(0, 0, Uint8Array.of(7, 8)), frameBytes(0xffffffff, 0));
    const { client, asked, received } = clientOf(response);
    const frames = await collect(client);
    expect([...frames[0]!.payload]).toEqual([7, 8]);
    expect(asked).toEqual([{ url: "/api/v1/slides/s/v/d/blocks:batch", body: '{"blocks":[[1,0,0,2,3,1,2]]}' }]);
    expect(received()).toBe(response.length);
  });

  it("tells of a stream that was cut after giving what came", async () => {
    const { client } = clientOf(frameBytes(0, 0, Uint8Array.of(7)));
    await expect(collect(client)).rejects.toThrow(CutStreamError);
  });

  it("reads index pages and single layers of the approximation", async () => {
    const page = clientOf(pageBytes(1, 1, 2, [3, 4], pageSeed(bytesOfHex(parameterSet(1)), 0, 5)));
    expect((await page.client.layerIndexPage(0, 0, 1, 5)).layers).toBe(2);
    expect(page.asked[0]!.url).toBe("/api/v1/slides/s/v/d/layer-index/0/0/1/5");
    const top = clientOf(Uint8Array.of(1));
    await top.client.approximationLayer(2, 0, 1);
    expect(top.asked[0]!.url).toBe("/api/v1/slides/s/v/d/approximation/2/0?from=1&to=2");
  });
});
