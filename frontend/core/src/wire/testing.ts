/** Builders of what the service sends, for tests: bytes written from the documents in spec/wire, and documents of the contract. */
import { Pyramid } from "../geometry/pyramid";
import { ManifestView as isManifest } from "./generated/validators";
import type * as Wire from "./generated/types";
import { checked } from "./http/contract";
import { crc32c } from "./stored/crc32c";
import { type Manifest, manifestOf } from "./slides/manifest";
import type { PushPorts, PushSocket } from "./slides/pushClient";

/** A manifest as served, with its levels. */
export function servedManifest(change: Partial<Wire.ManifestView> = {}): Wire.ManifestView {
  const { width = 1024, height = 1024 } = change;
  const url = "/api/v1/slides/s/v/d";
  return {
    id: "s",
    title: "A",
    digest: "d",
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    url,
    thumbnail: `${url}/thumbnail`,
    width,
    height,
    levels: new Pyramid(width, height).top + 1,
    planes: 1,
    channels: 3,
    layers: 2,
    profile: "visual",
    mpp: null,
    scale: null,
    objective_power: null,
    vendor: null,
    bytes: [],
    tags: {},
    editable: true,
    format: "wavescope",
    version: "1.0",
    tile: 256,
    plane_spacing_um: null,
    icc: false,
    codec: {},
    parameters: Array.from({ length: new Pyramid(width, height).top + 1 }, (_, level) => [parameterSet(level)]),
    channel_groups: 1,
    bit_depth: 8,
    signed: false,
    index_page: 32,
    source: { name: "a.svs", format: "aperio", bytes: 4000, tile_bytes: null },
    sizes: [],
    allowed: [],
    ...change,
  };
}

/** Stands for the parameter set of a level: pages of the index are bound to it. */
export function parameterSet(level: number): string {
  return `5753010000${level.toString(16).padStart(2, "0")}`;
}

/** A slide as lists of the catalog, of a case and of the trash serve it. */
export function servedSummary(change: Partial<Wire.SlideSummary> = {}): Wire.SlideSummary {
  return {
    id: "s",
    title: "A",
    digest: "d",
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    url: "/api/v1/slides/s/v/d",
    thumbnail: "/api/v1/slides/s/v/d/thumbnail",
    width: 1024,
    height: 1024,
    levels: 2,
    planes: 1,
    channels: 3,
    layers: 2,
    profile: "visual",
    mpp: null,
    scale: null,
    objective_power: null,
    vendor: null,
    bytes: [],
    tags: {},
    ...change,
  };
}

/** An ingest job as served. */
export function servedJob(change: Partial<Wire.JobBody> = {}): Wire.JobBody {
  return {
    id: "j",
    state: "running",
    filename: "a.svs",
    overlay_of: null,
    slide_id: null,
    done: 1,
    total: 2,
    rate: null,
    seconds_left: null,
    quality: "visual",
    channel_quality: "visual",
    time: 1,
    reencodes: null,
    stored_as: [],
    notices: [],
    error: null,
    created: "2026-01-01T00:00:00Z",
    updated: "2026-01-01T00:00:00Z",
    ...change,
  };
}

/** The manifest that the page makes of a served one. Throws ContractError. */
export function testManifest(change: Partial<Wire.ManifestView> = {}): Manifest {
  return manifestOf(checked(servedManifest(change), isManifest, "a test"));
}

/** An index page; `seed`: pageSeed() of where it belongs. */
export function pageBytes(
  columns: number,
  rows: number,
  layers: number,
  lengths: readonly number[],
  seed = 0,
): Uint8Array {
  const bytes = Array.from("WSLI").map((letter) => letter.charCodeAt(0));
  bytes.push(1, layers, columns, rows);
  for (const length of lengths) {
    let rest = length;
    while (rest > 127) {
      bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  }
  const sum = crc32c(Uint8Array.from(bytes), seed);
  return Uint8Array.from([...bytes, ...[0, 8, 16, 24].map((shift) => (sum >>> shift) & 255)]);
}

export function frameBytes(index: number, status: number, payload: Uint8Array = new Uint8Array()): Uint8Array {
  const bytes = new Uint8Array(12 + payload.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, index, true);
  view.setUint8(4, status);
  view.setUint32(8, payload.length, true);
  bytes.set(payload, 12);
  return bytes;
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** Numbers that look random and are the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Bytes that begin as a layer and are as long as they say; full of their number. */
export function fakeLayer(layer: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(layer);
  for (let count = 1; count <= 4; count += 1) {
    const following = length - count;
    if (following >= 128 ** count) continue;
    for (let i = 0; i < count; i += 1) bytes[i] = (Math.floor(following / 128 ** i) % 128) + (i + 1 < count ? 128 : 0);
    return bytes;
  }
  throw new RangeError(`a layer of ${length} bytes`);
}

/** A binary message of a push connection (WI119). */
export function pushMessage(
  {
    view,
    from = 0,
    to = 1,
    index,
    status = 0,
  }: Record<"view" | "index", number> & Partial<Record<"from" | "to" | "status", number>>,
  payload = new Uint8Array(),
): ArrayBuffer {
  const bytes = new Uint8Array(20 + payload.length);
  const head = new DataView(bytes.buffer);
  head.setUint32(0, view, true);
  bytes.set([from, to], 4);
  head.setUint32(8, index, true);
  bytes[12] = status;
  head.setUint32(16, payload.length, true);
  bytes.set(payload, 20);
  return bytes.buffer;
}

/** A socket and a clock on command. */
export class FakePush {
  readonly sent: Record<string, unknown>[] = [];
  readonly sockets: PushSocket[] = [];
  closed = 0;
  time = 1000;
  private readonly timers = new Map<number, { readonly at: number; readonly work: () => void }>();

  readonly ports: PushPorts = {
    open: () => {
      const socket: PushSocket = {
        onopen: null,
        onmessage: null,
        onclose: null,
        send: (text) => void this.sent.push(JSON.parse(text) as Record<string, unknown>),
        close: () => void (this.closed += 1),
      };
      this.sockets.push(socket);
      return socket;
    },
    now: () => this.time,
    set: (work, milliseconds) => {
      const timer = this.timers.size + 1000 * this.sockets.length + this.time * 7;
      this.timers.set(timer, { at: this.time + milliseconds, work });
      return timer;
    },
    clear: (timer) => void this.timers.delete(timer),
  };

  get socket(): PushSocket {
    return this.sockets[this.sockets.length - 1]!;
  }

  ofType(type: string): Record<string, unknown>[] {
    return this.sent.filter((message) => message.type === type);
  }

  pass(milliseconds: number): void {
    this.time += milliseconds;
    for (const [timer, { at, work }] of [...this.timers]) if (at <= this.time && this.timers.delete(timer)) work();
  }
}
