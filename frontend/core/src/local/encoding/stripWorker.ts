/** Encodes strips, one after another, as they come on its port. */
import { Encoder } from "./encoder";
import type { StripAnswer, StripRequest, ToStrips } from "./protocol";
import { encodeStrip } from "./strip";

declare const self: { onmessage: ((event: MessageEvent<ToStrips>) => void) | null };

self.onmessage = ({ data: { module, port } }) => {
  const loaded = Encoder.load(module);
  port.onmessage = ({ data: { id, task } }: MessageEvent<StripRequest>) =>
    void loaded
      .then((encoder) => {
        const strip = encodeStrip(encoder, task);
        port.postMessage({ id, strip } satisfies StripAnswer, [strip.means.data.buffer]);
      })
      .catch((error: unknown) => port.postMessage({ id, message: String(error) } satisfies StripAnswer));
};
