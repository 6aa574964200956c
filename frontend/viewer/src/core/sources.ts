/** Chooses and builds the source of pictures: the workers of this browser, or the service where that cannot be. */
import { Pyramid } from "@wavescope/core/geometry/pyramid";
import { DecodePool, type WorkerLike, poolSize, startDecoder } from "@wavescope/core/codec/pool";
import kernelUrl from "../../../../shared/kernel/build/kernel.wasm?url";
import { BlockCache } from "@wavescope/core/tiles/blockCache";
import type { MixEntries } from "@wavescope/core/tiles/channels/mixEntries";
import type { Meter } from "@wavescope/core/tiles/meter";
import type { FieldRequest, PictureEvents, PictureSource } from "@wavescope/core/tiles/pictures";
import { pageLink } from "@wavescope/core/tiles/transport/link";
import { WaveletPictures } from "@wavescope/core/tiles/waveletPictures";
import type { Manifest } from "@wavescope/core/wire/slides/manifest";
import type { OpenPush } from "@wavescope/core/wire/slides/pushClient";
import { openInWorker, startPushWorker } from "@wavescope/core/wire/slides/pushInWorker";
import { slideStore } from "@wavescope/core/wire/stored/slideStore";
import { HttpSlideClient } from "@wavescope/core/wire/slides/slideClient";
import type { Budgets } from "./device/budgets";
import { fallbackReason } from "./device/capabilities";
import { t } from "@wavescope/core/i18n/i18n";

export interface OpenedSource {
  readonly source: PictureSource;
  /** Why the service makes the pictures; null when this browser does. */
  readonly fallback: string | null;
}

/** What a source of pictures is opened with. */
export interface SourceOptions {
  readonly manifest: Manifest;
  readonly meter: Meter;
  readonly budgets: Budgets;
  /** Why the service shall make the pictures; null: only where this browser cannot. */
  readonly fallback: string | null;
  readonly events: PictureEvents;
  /** Requested at once, before the decoder is here. */
  readonly first?: FieldRequest;
  /** How the channels of the slide are mixed at first; left out: as the slide says. */
  readonly mix?: MixEntries | null;
}

export async function openSource({
  manifest,
  meter,
  budgets,
  fallback,
  events,
  first,
  mix = null,
}: SourceOptions): Promise<OpenedSource> {
  const { preview, files } = manifest;
  const stored = preview || files ? null : slideStore.responses(manifest.id, manifest.url);
  const http = files ? null : new HttpSlideClient(manifest, meter, undefined, stored);
  const client = http ?? files!.client(meter);
  const pyramid = new Pyramid(manifest.width, manifest.height);
  const server = async (reason: string): Promise<OpenedSource> => {
    const { ServerPictures } = await import("@wavescope/core/tiles/serverPictures"); // few browsers need it
    return { source: new ServerPictures(pyramid, manifest.layers, client, events), fallback: reason };
  };
  if (fallback !== null) return server(fallback);
  const { workers } = budgets;
  const module = loadModule();
  const pool = new DecodePool(workers, makeWorker, module, budgets.samples);
  const blockCache = new BlockCache(pyramid, manifest.layers, budgets.compressed, manifest.empty);
  const push = preview || files ? undefined : pushOf(manifest.url);
  const begun = http?.firstView();
  const options = { manifest, client, blockCache, pool, workers, meter, events, link: pageLink, push, begun };
  let source: PictureSource | null = null;
  try {
    source = manifest.groups
      ? await (await import("./channels/openChannels")).openChannels(options, budgets, mix, module)
      : manifest.planes > 1 && !preview
        ? (await import("./focus/openFocus")).openFocus(options, budgets, module)
        : new WaveletPictures(options);
    if (first) source.fetch(first);
    await module;
    return { source, fallback: null };
  } catch (error) {
    (source ?? pool).close();
    if (error instanceof WebAssembly.CompileError || error instanceof DOMException) {
      return server(t("viewer.decoderFailed", { message: error.message }));
    }
    throw error;
  }
}

/** Starts what opening a slide will wait for, while the manifest is still on its way. */
export function warmUp(): void {
  if (fallbackReason() !== null) return;
  loadModule().catch(() => undefined); // opening tells of it
  while (spare.size < poolSize(navigator.hardwareConcurrency)) {
    const worker = startDecoder();
    worker.onerror = () => spare.delete(worker);
    spare.add(worker);
  }
}

/** Workers that load their script already and belong to no pool yet. */
const spare = new Set<Worker>();

let compiled: Promise<WebAssembly.Module> | null = null;

/** Compiled once per page, whatever number of slides and workers. */
export function loadModule(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  compiled.catch(() => (compiled = null));
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  const response = await fetch(kernelUrl);
  if (!response.ok) throw new DOMException(t("viewer.decoderMissing", { status: response.status }), "NetworkError");
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Push of a slide version. */
function pushOf(url: string): OpenPush {
  const protocol = location.protocol === "https:" ? "wss:" : "ws:";
  const { href } = Object.assign(new URL(`${url}/push`, location.href), { protocol });
  return openInWorker(startPushWorker, href);
}

function makeWorker(): WorkerLike {
  const [ready] = spare;
  if (!ready) return startDecoder();
  spare.delete(ready);
  return ready;
}
