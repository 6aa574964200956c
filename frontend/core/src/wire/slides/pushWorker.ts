/** The worker of one push connection: see pushClient.ts. */
import type { PushOrder, PushReport } from "./pushInWorker";
import { PushClient, type PushPorts, type PushSocket } from "./pushClient";

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<PushOrder>) => void) | null;
  postMessage(report: PushReport, transfer?: Transferable[]): void;
};

let client: PushClient | null = null;

scope.onmessage = ({ data }) => {
  if (data.type === "view") return client?.send(data.view);
  client = new PushClient(portsOf(data.url), data.measures, {
    opened: () => scope.postMessage({ type: "opened" }),
    block: (block) => scope.postMessage({ type: "block", block }, [block.frame.payload.buffer as ArrayBuffer]),
    complete: (view) => scope.postMessage({ type: "complete", view }),
    closed: (code) => scope.postMessage({ type: "closed", code }),
  });
};

function portsOf(url: string): PushPorts {
  return {
    open: () => socketOf(new WebSocket(url)),
    now: () => performance.now(),
    set: (work, milliseconds) => setTimeout(work, milliseconds) as unknown as number,
    clear: (timer) => clearTimeout(timer),
  };
}

function socketOf(web: WebSocket): PushSocket {
  web.binaryType = "arraybuffer";
  const socket: PushSocket = {
    onopen: null,
    onmessage: null,
    onclose: null,
    send: (text) => web.send(text),
    close: () => web.close(),
  };
  web.onopen = () => socket.onopen?.();
  web.onmessage = (event) => socket.onmessage?.(event.data);
  web.onclose = (event) => socket.onclose?.(event.code);
  return socket;
}
