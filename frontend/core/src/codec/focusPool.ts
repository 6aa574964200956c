/** Workers that compute extended depth of field: a pool of them is a DecodePool. */
export const startFocusDecoder = (): Worker =>
  new Worker(new URL("./focusWorker.ts", import.meta.url), { type: "module", name: "wavescope-focus" });
