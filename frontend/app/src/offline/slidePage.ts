/**
 * The page of a slide where the service is slow to respond: the stored one, whose files are all here, while the service is asked whether it
 * still has that build (PG13). What the page requests first is under way with it.
 */

/** Milliseconds within which an answer of the service comes first. */
const HEAD_START = 30;
/** Longest side of the thumbnail in pixels, as the service names it in its own page. */
const THUMBNAIL = 576;
/** What is reported to a page whose build the service does not have any more. */
export const OUTDATED = "wavescope:outdated";

export interface PagePorts {
  fetch(request: Request): Promise<Response>;
  /** The stored page; undefined: there is none, or the service has another build. */
  stored(): Promise<Response | undefined>;
  /** The service has another build than the stored one: from now on it comes first. */
  outdated(): Promise<unknown>;
  rest(milliseconds: number): Promise<void>;
}

export interface ShownPage {
  readonly response: Response;
  /** Whether the service has another page than the one that is shown. */
  readonly replaced: Promise<boolean>;
}

const SAME = Promise.resolve(false);

/** The slide in the path of a page; null: it is another page. */
export function slideIn({ pathname }: URL): string | null {
  return /^\/slides\/([^/]+)$/.exec(pathname)?.[1] ?? null;
}

/** The page of a slide, and whether it has to be replaced. Throws what `fetch` throws where nothing is stored. */
export async function slidePage(request: Request, ports: PagePorts): Promise<ShownPage> {
  const stored = await ports.stored();
  const asked = ports.fetch(request);
  if (!stored) return { response: await asked, replaced: SAME };
  asked.catch(() => undefined); // no service answers: the stored page says so
  const first = await Promise.race([asked.catch(() => null), ports.rest(HEAD_START).then(() => null)]);
  if (first && first.status < 500) return { response: first, replaced: SAME };
  const text = await stored.clone().text();
  return { response: withPreloads(stored, new URL(request.url)), replaced: isReplaced(asked, text, ports) };
}

async function isReplaced(asked: Promise<Response>, text: string, ports: PagePorts): Promise<boolean> {
  const now = await asked.catch(() => null);
  if (!now || now.status >= 500) return false;
  if (now.ok && (await now.text()) === text) return false; // names of files have a hash: the same page is the same build
  await ports.outdated(); // also a redirection, to a page for signing in
  return true;
}

/** The page names the slide's manifest and thumbnail, as that of the service does: they are requested before its code is read. */
function withPreloads(page: Response, url: URL): Response {
  const address = `/api/v1/slides/${slideIn(url) ?? ""}`;
  const headers = new Headers(page.headers);
  const thumbnail = `<${address}/thumbnail?max=${THUMBNAIL}>; rel=preload; as=image`;
  headers.set("link", `<${address}>; rel=preload; as=fetch; crossorigin, ${thumbnail}`);
  return new Response(page.body, { status: 200, headers });
}
