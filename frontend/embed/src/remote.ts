/** A slide of a service that may be on another site: its requests go there, not to the site of the page. */
import { ManifestView as isManifest } from "@wavescope/core/wire/generated/validators.js";
import { checked, parsedJson } from "@wavescope/core/wire/http/contract";
import { type Fetch, bytesOf, request } from "@wavescope/core/wire/http/http";
import { type Manifest, manifestOf } from "@wavescope/core/wire/slides/manifest";
import { HttpSlideClient } from "@wavescope/core/wire/slides/slideClient";

export interface ServiceSlide {
  readonly origin: string;
  readonly id: string;
}

/** `https://host/slides/{id}` (the page) or `https://host/api/v1/slides/{id}`; null: the address is no slide of a service. */
export function serviceSlide({ origin, pathname }: URL): ServiceSlide | null {
  const [, name] = /^(?:\/api\/v1)?\/slides\/([^/]+)$/.exec(pathname) ?? [];
  if (name === undefined || name.endsWith(".wsz")) return null;
  try {
    return { origin, id: decodeURIComponent(name) };
  } catch {
    return null;
  }
}

export async function openRemote({ origin, id }: ServiceSlide, fetcher: Fetch = browserFetch): Promise<Manifest> {
  const there: Fetch = (input, init) => fetcher(new URL(input, origin).href, init);
  const source = `${origin}/api/v1/slides/${encodeURIComponent(id)}`;
  const bytes = await bytesOf(await request(there, source));
  const document = checked(parsedJson(new TextDecoder().decode(bytes), source), isManifest, source);
  const manifest: Manifest = {
    ...manifestOf(document),
    files: {
      client: (traffic) => new HttpSlideClient(manifest, traffic, there),
      fetcher: there,
      close: () => undefined,
    },
  };
  return { ...manifest, url: `${origin}${manifest.url}` };
}

const browserFetch: Fetch = (input, init) => fetch(input, init);
