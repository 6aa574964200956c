import { describe, expect, it } from "vitest";
import { kernelFetch } from "./kernelFetch";

interface Message {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The model of a widget whose process answers as a test says. */
function model() {
  const listeners = new Set<(content: unknown, buffers: readonly DataView[]) => void>();
  const sent: { readonly message: Message; readonly body: readonly ArrayBuffer[] }[] = [];
  return {
    sent,
    on: (_: string, work: (...given: never[]) => void) => void listeners.add(work as never),
    off: (_: string, work: (...given: never[]) => void) => void listeners.delete(work as never),
    send: (message: unknown, _?: unknown, body: ArrayBuffer[] = []) =>
      void sent.push({ message: message as Message, body }),
    answer: (id: string, status: number, text = "", headers = {}) => {
      const { buffer } = new TextEncoder().encode(text);
      for (const listener of listeners) listener({ id, status, headers }, [new DataView(buffer)]);
    },
  };
}

describe("requests by messages (NB3)", () => {
  it("NB3: sends method, path, headers and body, and resolves with what is answered to it", async () => {
    const fake = model();
    const { fetch } = kernelFetch(fake);
    const first = fetch("https://kernel.invalid/api/v1/slides/a?x=1", { headers: { Range: "bytes=0-9" } });
    const second = fetch("https://kernel.invalid/selection", { method: "PUT", body: "ab" });
    await new Promise((resolve) => setTimeout(resolve));
    expect(fake.sent[0]!.message).toMatchObject({ method: "GET", path: "/api/v1/slides/a?x=1" });
    expect(fake.sent[0]!.message.headers).toEqual({ range: "bytes=0-9" });
    expect(new TextDecoder().decode(fake.sent[1]!.body[0])).toBe("ab");
    fake.answer(fake.sent[1]!.message.id, 204);
    fake.answer("of another view", 200, "no");
    fake.answer(fake.sent[0]!.message.id, 206, "bytes", { "content-type": "text/plain" });
    expect((await second).status).toBe(204);
    expect(await (await first).text()).toBe("bytes");
  });

  it("NB3: drops what is aborted, and fails what is open when the view closes", async () => {
    const fake = model();
    const kernel = kernelFetch(fake);
    const control = new AbortController();
    const aborted = kernel.fetch("/a", { signal: control.signal });
    const open = kernel.fetch("/b");
    await Promise.resolve();
    control.abort();
    kernel.close();
    await expect(aborted).rejects.toThrow(/abort/);
    await expect(open).rejects.toThrow("closed");
  });
});
