import { describe, expect, it, vi } from "vitest";
import { type PagePorts, slideIn, slidePage } from "./slidePage";

const request = new Request("http://127.0.0.1/slides/s");
const page = (text: string, status = 200) => new Response(text, { status });

/** The service answers when `answer` is called; the head start is over when `over` is. */
function world(stored: string | undefined) {
  let answer: (one: Response) => void;
  let fail: (cause: Error) => void;
  let over = (): void => undefined;
  const ports = {
    fetch: vi.fn(() => new Promise<Response>((resolve, reject) => ([answer, fail] = [resolve, reject]))),
    stored: () => Promise.resolve(stored === undefined ? undefined : page(stored)),
    outdated: vi.fn(() => Promise.resolve()),
    rest: () => new Promise<void>((resolve) => (over = resolve)),
  } satisfies PagePorts;
  const shown = slidePage(request, ports);
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 20; i += 1) await Promise.resolve();
  };
  return {
    ports,
    shown,
    settled,
    answer: (one: Response) => answer(one),
    fail: () => fail(new Error()),
    over: () => over(),
  };
}

describe("the page of a slide (PG13)", () => {
  it("is that of the service where it answers at once", async () => {
    const { shown, answer, settled } = world("old");
    await settled();
    answer(page("new"));
    const { response, replaced } = await shown;
    expect([await response.text(), await replaced]).toEqual(["new", false]);
  });

  it("is the stored one where the service is slow, and names what it will request first", async () => {
    const { shown, answer, over, settled, ports } = world("same");
    await settled();
    over();
    const { response, replaced } = await shown;
    expect(response.headers.get("link")).toMatch(/^<\/api\/v1\/slides\/s>; rel=preload.*thumbnail\?max=576/);
    expect(await response.text()).toBe("same");
    answer(page("same"));
    expect(await replaced).toBe(false);
    expect(ports.outdated).not.toHaveBeenCalled();
  });

  it.each([
    ["another build", page("new")],
    ["a page for signing in", page("", 401)],
  ])("is replaced where the service has %s, which comes first from then on", async (_, responded) => {
    const { shown, answer, over, settled, ports } = world("old");
    await settled();
    over();
    const { replaced } = await shown;
    answer(responded);
    expect(await replaced).toBe(true);
    expect(ports.outdated).toHaveBeenCalledOnce();
  });

  it("stays where no service answers, or a proxy says that it is away", async () => {
    const lost = world("old");
    await lost.settled();
    lost.fail();
    await lost.settled();
    lost.over();
    const { response, replaced } = await lost.shown;
    expect([await response.text(), await replaced]).toEqual(["old", false]);
    const away = world("old");
    await away.settled();
    away.answer(page("", 502));
    await away.settled();
    away.over();
    expect(await (await away.shown).response.text()).toBe("old");
  });

  it("is that of the service where nothing is stored", async () => {
    const { shown, answer, settled } = world(undefined);
    await settled();
    answer(page("new"));
    expect(await (await shown).response.text()).toBe("new");
    const other = world(undefined);
    await other.settled();
    other.fail();
    await expect(other.shown).rejects.toThrow();
  });

  it("is that of a slide alone", () => {
    const addresses = ["/slides/a%2Fb", "/slides", "/slides/a/label", "/metrics"];
    expect(addresses.map((path) => slideIn(new URL(path, "http://x")))).toEqual(["a%2Fb", null, null, null]);
  });
});
