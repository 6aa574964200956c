// Takes back what tests have left on a service that others use after them: what was made goes, what was changed is as it began.

interface Slide {
  readonly id: string;
  readonly title: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly scale: { readonly origin: string } | null;
}

/** A user of the service who may do everything: without accounts anyone. */
export type Headers = Readonly<Record<string, string>>;

/** The slides of a service, as they are when it has just started. */
export async function slidesOf(address: string, headers: Headers = {}): Promise<readonly Slide[]> {
  return (await get<{ slides: Slide[] }>(address, "slides?per_page=200", headers)).slides;
}

const END_MILLISECONDS = 20_000;

export async function restore(address: string, begun: readonly Slide[], headers: Headers = {}): Promise<void> {
  const list = <T>(path: string) => get<T>(address, path, headers);
  const send = (method: string, path: string, body?: unknown, more: Headers = {}) =>
    ask(address, method, path, headers, body, more);
  for (const { id, state } of (await list<{ sessions: { id: string; state: string }[] }>("sessions")).sessions)
    if (state !== "ended") await send("POST", `sessions/${id}/end`);
  for (const { id, state } of (await list<{ jobs: { id: string; state: string }[] }>("jobs")).jobs)
    if (!["done", "failed", "cancelled"].includes(state)) await send("DELETE", `jobs/${id}`);
  for (const { id, revision } of (await list<{ tours: { id: string; revision: number }[] }>("tours")).tours)
    await send("DELETE", `tours/${id}`, undefined, { "If-Match": `"r${revision}"` });
  for (const { id } of (await list<{ cases: { id: string }[] }>("cases")).cases) await send("DELETE", `cases/${id}`);
  for (const { id } of (await list<{ slides: { id: string }[] }>("trash")).slides)
    await send("POST", `trash/${id}/restore`);
  const known = new Map(begun.map((slide) => [slide.id, slide]));
  for (const slide of await slidesOf(address, headers)) {
    const wanted = known.get(slide.id);
    if (wanted) await restoreSlide(slide, wanted, list, send);
    else for (const path of [`slides/${slide.id}`, `trash/${slide.id}`]) await send("DELETE", path);
  }
  await forgetRecordings(list, send);
}

type List = <T>(path: string) => Promise<T>;
type Send = (method: string, path: string, body?: unknown, more?: Headers) => Promise<void>;

async function restoreSlide(slide: Slide, wanted: Slide, list: List, send: Send): Promise<void> {
  const at = `slides/${slide.id}`;
  const added = Object.keys(slide.tags).filter((name) => !(name in wanted.tags));
  const tags = { ...wanted.tags, ...Object.fromEntries(added.map((name) => [name, null])) };
  if (slide.title !== wanted.title || JSON.stringify(slide.tags) !== JSON.stringify(wanted.tags))
    await send("PATCH", at, { title: wanted.title, tags });
  if (slide.scale?.origin === "entered" && wanted.scale?.origin !== "entered")
    await send("DELETE", `${at}/calibration`);
  const { annotations, classes } = await list<{
    annotations: { id: string; revision: number }[];
    classes: Record<string, unknown>;
  }>(`${at}/annotations?limit=10000`);
  for (let i = 0; i < annotations.length; i += 2000) {
    const changes = annotations.slice(i, i + 2000).map(({ id, revision }) => ({ id, revision, content: null }));
    await send("POST", `${at}/annotations:batch`, { changes });
  }
  const gone = Object.fromEntries(Object.keys(classes).map((name) => [name, null]));
  if (Object.keys(gone).length > 0) await send("PATCH", `${at}/annotations:classes`, { classes: gone });
}

/** Those that have ended: the sessions were ended before. */
async function forgetRecordings(list: List, send: Send): Promise<void> {
  for (const end = Date.now() + END_MILLISECONDS; ; ) {
    const { recordings } = await list<{ recordings: { id: string; state: string }[] }>("recordings");
    for (const { id, state } of recordings) if (state !== "running") await send("DELETE", `recordings/${id}`);
    if (recordings.every(({ state }) => state !== "running")) return;
    if (Date.now() > end) throw new Error("a recording does not end");
    await new Promise((later) => setTimeout(later, 50));
  }
}

async function get<T>(address: string, path: string, headers: Headers): Promise<T> {
  const answer = await fetch(`${address}/api/v1/${path}`, { headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function ask(
  address: string,
  method: string,
  path: string,
  headers: Headers,
  body: unknown,
  more: Headers,
): Promise<void> {
  const answer = await fetch(`${address}/api/v1/${path}`, {
    method,
    headers: { ...headers, ...more, origin: address, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok && answer.status !== 404)
    throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
}
