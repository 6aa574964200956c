/** A push connection in a worker of its own, as the page sees it. */
import type { LinkMeasures, NumberedView, OpenPush, PushedBlock } from "./pushClient";

/** What the page tells the worker: to open the connection, once, and then its views. */
export type PushOrder =
  | { readonly type: "open"; readonly url: string; readonly measures: LinkMeasures }
  | { readonly type: "view"; readonly view: NumberedView };

/** What the worker tells the page: the events of the connection. */
export type PushReport =
  | { readonly type: "opened" }
  | { readonly type: "block"; readonly block: PushedBlock }
  | { readonly type: "complete"; readonly view: number }
  | { readonly type: "closed"; readonly code: number };

/** The part of a worker that is used here. */
export interface PushWorker {
  onmessage: ((event: MessageEvent<PushReport>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(order: PushOrder): void;
  terminate(): void;
}

/** The code of a connection whose worker could not be started. */
const NO_WORKER = 0;

export const startPushWorker = (): Worker =>
  new Worker(new URL("./pushWorker.ts", import.meta.url), { type: "module", name: "wavescope-push" });

/** Opens connections to a slide version. `url`: `ws://.../push`. */
export function openInWorker(start: () => PushWorker, url: string): OpenPush {
  return (measures, events) => {
    const worker = start();
    const end = (code: number): void => {
      worker.onmessage = null;
      worker.onerror = null;
      worker.terminate();
      events.closed(code);
    };
    worker.onerror = () => end(NO_WORKER);
    worker.onmessage = ({ data }) => {
      if (data.type === "opened") events.opened();
      else if (data.type === "block") events.block(data.block);
      else if (data.type === "complete") events.complete(data.view);
      else end(data.code);
    };
    worker.postMessage({ type: "open", url, measures });
    return {
      send: (view) => worker.postMessage({ type: "view", view }),
      close: () => {
        worker.onmessage = null;
        worker.onerror = null;
        worker.terminate(); // and with it the socket
      },
    };
  };
}
