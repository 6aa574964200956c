/** `fetch` by messages to the process of the notebook, which answers as the service does: for pages that cannot reach it (notebook.md, NB3). */
import type { Fetch } from "@wavescope/core/wire/http/http";
import type { Model } from "./model";

interface Answer {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

interface Waiting {
  readonly resolve: (response: Response) => void;
  readonly reject: (error: Error) => void;
}

const WITHOUT_BODY = [204, 205, 304];

export interface KernelFetch {
  readonly fetch: Fetch;
  /** Fails what is not answered yet. */
  readonly close: () => void;
}

/** Of a request only method, path, headers and body go to the process; its origin is no address. */
export function kernelFetch(model: Pick<Model, "on" | "off" | "send">): KernelFetch {
  const session = Math.random().toString(36).slice(2); // several views of a widget get each other's messages
  const waiting = new Map<string, Waiting>();
  let next = 0;
  const receive = (answer: Answer, buffers: readonly DataView<ArrayBuffer>[]): void => {
    const request = waiting.get(answer.id);
    if (!request) return;
    waiting.delete(answer.id);
    const { status, headers } = answer;
    request.resolve(new Response(WITHOUT_BODY.includes(status) ? null : (buffers[0] ?? null), { status, headers }));
  };
  model.on("msg:custom", receive);
  const ask = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(input, "https://kernel.invalid");
    const { signal, method = "GET" } = init;
    signal?.throwIfAborted();
    const body = init.body == null ? [] : [await new Response(init.body).arrayBuffer()];
    const id = `${session}-${(next += 1)}`;
    const answer = new Promise<Response>((resolve, reject) => {
      const aborted = (): void => {
        waiting.delete(id);
        reject(signal!.reason as Error);
      };
      signal?.addEventListener("abort", aborted, { once: true });
      waiting.set(id, { resolve, reject });
    });
    const headers = Object.fromEntries(new Headers(init.headers).entries());
    model.send({ id, method, path: pathname + search, headers }, undefined, body);
    return answer;
  };
  return {
    fetch: ask,
    close: () => {
      model.off("msg:custom", receive);
      for (const { reject } of waiting.values()) reject(new TypeError("the view was closed"));
      waiting.clear();
    },
  };
}
