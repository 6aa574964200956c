import { describe, expect, it } from "vitest";
import { request } from "./http";
import { whenSignedOut } from "./renewal";

const problem = (name: string, status: number): Response =>
  new Response(JSON.stringify({ type: `/problems/${name}`, title: name, detail: name }), { status });

/** A service whose sign-in has run out; `renewable`: it can be renewed. */
function service(renewable: boolean) {
  const asked: string[] = [];
  let holds = false;
  const fetcher = (url: string): Promise<Response> => {
    asked.push(url);
    if (url.endsWith("/renew")) {
      holds = renewable;
      return Promise.resolve(holds ? new Response(null, { status: 204 }) : problem("credentials-expired", 401));
    }
    if (url.endsWith("/sign-out")) return Promise.resolve(new Response(null, { status: 204 }));
    if (holds) return Promise.resolve(new Response("block"));
    return Promise.resolve(
      asked.includes("/api/v1/sign-out") ? problem("unknown-slide", 404) : problem("credentials-expired", 401),
    );
  };
  return { fetcher, asked };
}

describe("a sign-in that has run out", () => {
  it("is renewed once for all who notice, and each asks once more (AC32)", async () => {
    const { fetcher, asked } = service(true);
    const responses = await Promise.all(["/a", "/b"].map((url) => request(fetcher, url)));
    expect(await Promise.all(responses.map((answer) => answer.text()))).toEqual(["block", "block"]);
    expect(asked.filter((url) => url.endsWith("/renew"))).toHaveLength(1);
    expect(asked.filter((url) => url === "/a")).toHaveLength(2);
  });

  it("is not renewed again for a request that was sent before the renewal and answered after it (AC32)", async () => {
    const { fetcher, asked } = service(true);
    let answer: (response: Response) => void = () => undefined;
    const late = new Promise<Response>((resolve) => (answer = resolve));
    let sent = 0;
    const slow = (url: string): Promise<Response> => (url === "/slow" && (sent += 1) === 1 ? late : fetcher(url));
    const waiting = request(slow, "/slow");
    await request(slow, "/a");
    answer(problem("credentials-expired", 401));
    expect(await (await waiting).text()).toBe("block");
    expect(asked.filter((url) => url.endsWith("/renew"))).toHaveLength(1);
  });

  it("is forgotten if it cannot be renewed; the page is notified and sends anonymous requests (AC30)", async () => {
    const { fetcher, asked } = service(false);
    let calls = 0;
    const stop = whenSignedOut(() => (calls += 1));
    await expect(request(fetcher, "/a")).rejects.toMatchObject({ problem: "unknown-slide" });
    stop();
    expect(calls).toBe(1);
    expect(asked).toEqual(["/a", "/api/v1/sign-in/renew", "/api/v1/sign-out", "/a"]);
  });
});
