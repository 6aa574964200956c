import { describe, expect, it } from "vitest";
import { CorruptError, OfflineError } from "../http/errors";
import { SlideFileError } from "./errors";
import { httpFile, httpFolder } from "./http";
import { localFile } from "./localFile";

const CONTENT = Uint8Array.from({ length: 100 }, (_, i) => i);

/** A web server with one file; what it answers can be changed. */
function server(change: (response: Response, init: RequestInit) => Response = (response) => response) {
  const asked: string[] = [];
  const fetcher = (url: string, init: RequestInit = {}): Promise<Response> => {
    const range = new Headers(init.headers).get("Range");
    asked.push([init.method ?? "GET", url, range ?? ""].join(" ").trim());
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(range ?? "") ?? [];
    const part = range ? CONTENT.slice(Number(from), Number(to) + 1) : CONTENT;
    const headers = new Headers({ "Content-Length": String(part.length) });
    if (range) headers.set("Content-Range", `bytes ${from}-${to}/${CONTENT.length}`);
    return Promise.resolve(change(new Response(part, { status: range ? 206 : 200, headers }), init));
  };
  return { asked, fetcher };
}

const faultOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => (error instanceof SlideFileError ? error.fault : (error as Error).name),
  );

describe("files of a web server", () => {
  it("are read in ranges (SH5)", async () => {
    const { fetcher, asked } = server();
    expect(await httpFolder("/slides/a/", fetcher).read("levels/0/c", 10, 20)).toEqual(CONTENT.slice(10, 20));
    expect(await httpFolder("/slides/a/", fetcher).read("levels/0/c", 10, 10)).toEqual(new Uint8Array(0));
    expect(asked).toEqual(["GET /slides/a/levels/0/c bytes=10-19"]);
  });

  it("are refused where the server ignores ranges, and the whole file is not read (SH5)", async () => {
    let cancelled = false;
    const body = () => new ReadableStream({ cancel: () => void (cancelled = true) });
    const { fetcher } = server(() => new Response(body(), { status: 200 }));
    expect(await faultOf(httpFolder("/a/", fetcher).read("x", 10, 20))).toBe("no-ranges");
    expect(cancelled).toBe(true);
    const other = server(() => new Response(CONTENT, { status: 206, headers: { "Content-Range": "bytes 0-9/100" } }));
    expect(await faultOf(httpFolder("/a/", other.fetcher).read("x", 10, 20))).toBe("no-ranges");
  });

  it("are corrupt where they are missing or too short, and away where the server does not answer (SH8)", async () => {
    const responding = (status: number) => httpFolder("/a/", server(() => new Response("", { status })).fetcher);
    for (const status of [404, 410, 416])
      await expect(responding(status).read("x", 0, 10)).rejects.toBeInstanceOf(CorruptError);
    for (const status of [403, 500, 503])
      await expect(responding(status).read("x", 0, 10)).rejects.toBeInstanceOf(OfflineError);
    const short = server(() => new Response(CONTENT.slice(0, 3), { status: 206 }));
    await expect(httpFolder("/a/", short.fetcher).read("x", 0, 10)).rejects.toBeInstanceOf(CorruptError);
    const broken = () => Promise.reject(new TypeError("Failed to fetch"));
    await expect(httpFolder("/a/", broken).read("x", 0, 10)).rejects.toBeInstanceOf(OfflineError);
  });

  it("are not read beyond what is wanted, whatever the server sends (SH8)", async () => {
    let sent = 0;
    const endless = () =>
      new ReadableStream({ pull: (control) => void (control.enqueue(new Uint8Array(1000)), (sent += 1000)) });
    const { fetcher } = server((_, { headers }) => new Response(endless(), { status: headers ? 206 : 200 }));
    expect(await faultOf(httpFolder("/a/", fetcher).read("x", 0, 1500))).toBe("too-large");
    expect(await faultOf(httpFolder("/a/", fetcher).whole("x", 1500))).toBe("too-large");
    expect(sent).toBeLessThan(10_000);
    expect(await faultOf(httpFolder("/a/", server().fetcher).whole("x", 99))).toBe("too-large");
    expect(await httpFolder("/a/", server().fetcher).whole("x", 100)).toEqual(CONTENT);
  });

  it("tell their size in a range, or by HEAD where the page may not see it (SH5)", async () => {
    expect(await httpFile("/a.wsz", server().fetcher).size()).toBe(100);
    const hidden = server((response) => {
      response.headers.delete("Content-Range");
      return response;
    });
    expect(await httpFile("/a.wsz", hidden.fetcher).size()).toBe(100);
    expect(hidden.asked).toEqual(["GET /a.wsz bytes=0-0", "HEAD /a.wsz"]);
  });
});

describe("a file of this computer", () => {
  it("is read in ranges; a range beyond its end is refused (SH7)", async () => {
    const file = localFile(new File([CONTENT], "a.wsz"));
    expect(await file.size()).toBe(100);
    expect(await file.read(5, 8)).toEqual(CONTENT.slice(5, 8));
    expect(await faultOf(file.read(95, 101))).toBe("truncated");
  });

  it("that was moved or changed is away, not corrupt", async () => {
    const gone = {
      name: "a.wsz",
      size: 100,
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException("gone", "NotReadableError")) }),
    };
    await expect(localFile(gone as unknown as File).read(0, 1)).rejects.toBeInstanceOf(OfflineError);
  });
});
