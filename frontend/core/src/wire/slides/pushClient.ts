/**
 * The client of a push connection (wire/push.md, WI110-WI125): one WebSocket of one slide version. In a browser it runs in a worker, so that
 * acks do not wait for a page that is busy drawing: the service would take the delay for that of the link.
 */
import { FRAME_STATUS, type Frame } from "./batchFrames";

/** The part of a WebSocket that is used here. */
export interface PushSocket {
  onopen: (() => void) | null;
  onmessage: ((data: unknown) => void) | null;
  onclose: ((code: number) => void) | null;
  send(text: string): void;
  close(): void;
}

/** What surrounds a connection. Times in milliseconds. */
export interface PushPorts {
  open(): PushSocket;
  now(): number;
  set(work: () => void, milliseconds: number): number;
  clear(timer: number): void;
}

/** Column and row of the first tile, columns, rows. */
export type Rectangle = readonly [x: number, y: number, columns: number, rows: number];

/** A view without what the connection adds itself (WI115, WI116). */
export interface PushView {
  readonly z: number;
  readonly level: number;
  readonly region: Rectangle;
  readonly field: Rectangle;
  readonly held: string;
  readonly layers: number;
  readonly centre: readonly [number, number];
  readonly velocity: readonly [number, number];
}

/** `number`: larger than that of the view before; `bytes`: of all messages that `held` accounts for. */
export interface NumberedView extends PushView {
  readonly number: number;
  readonly bytes: number;
}

/** The layers [from, to) of the block with this index in its view. */
export interface PushedBlock {
  readonly view: number;
  readonly from: number;
  readonly to: number;
  readonly frame: Frame;
  /** Bytes of the whole message. */
  readonly bytes: number;
}

/** A connection that is opening or open. */
export interface PushConnection {
  send(view: NumberedView): void;
  /** Ends it; no event follows. */
  close(): void;
}

/** Opens a connection. */
export type OpenPush = (measures: LinkMeasures, events: PushEvents) => PushConnection;

export interface PushEvents {
  opened(): void;
  block(block: PushedBlock): void;
  /** Everything of a view was sent. */
  complete(view: number): void;
  /** The connection has ended or could not be opened; it is called once. `code`: of the WebSocket. */
  closed(code: number): void;
}

/** What was measured of the link: bytes a second, milliseconds. */
export interface LinkMeasures {
  readonly rate: number | null;
  readonly roundTrip: number | null;
}

const VERSIONS = [1];
/** Of each binary message. */
export const HEAD_BYTES = 20;
const COMPLETE = 0xffffffff;
/** An ack follows a block within this time; milliseconds (WI125). */
const ACK_MS = 20;
/** The close code of a client that was sent what is no block. */
const INVALID = 4000;

export class PushClient implements PushConnection {
  private socket: PushSocket | null;
  private connected = false;
  private received = 0;
  private receivedAt = 0;
  private acked = 0;
  private ackedAt = -Infinity;
  private ackTimer: number | null = null;
  private waiting: NumberedView | null = null;

  constructor(
    private readonly ports: PushPorts,
    private readonly measures: LinkMeasures,
    private readonly events: PushEvents,
  ) {
    const socket = ports.open();
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (data) => this.handle(data);
    socket.onclose = (code) => this.end(code);
  }

  /** Sends a view, or the newest of them once the connection is open. */
  send(view: NumberedView): void {
    this.waiting = view;
    if (this.connected) this.flush();
  }

  /** Ends the connection; no event follows. */
  close(): void {
    const { socket } = this;
    this.forget();
    socket?.close();
  }

  private opened(): void {
    this.connected = true;
    const { rate, roundTrip } = this.measures;
    this.write({ type: "hello", versions: VERSIONS, rate, round_trip: roundTrip });
    this.flush();
    this.events.opened();
  }

  private flush(): void {
    const view = this.waiting;
    this.waiting = null;
    if (!view) return;
    const { number, z, level, region, field, held, layers, centre, velocity, bytes } = view;
    const rest = { z, level, region, field, held, layers, centre, velocity, bytes };
    this.write({ type: "view", number, ...rest });
  }

  private handle(data: unknown): void {
    if (!this.socket || !(data instanceof ArrayBuffer)) return; // welcome, or what a later version says
    const block = parseBlock(new Uint8Array(data));
    if (!block) {
      const { socket } = this;
      this.end(INVALID);
      return socket.close();
    }
    this.received += data.byteLength;
    this.receivedAt = this.ports.now();
    this.acknowledge();
    if (block.frame.index === COMPLETE) this.events.complete(block.view);
    else this.events.block(block);
  }

  private acknowledge(): void {
    const wait = this.ackedAt + ACK_MS - this.ports.now();
    if (wait > 0) {
      this.ackTimer ??= this.ports.set(() => {
        this.ackTimer = null;
        this.acknowledge();
      }, wait);
    } else if (this.received > this.acked) {
      this.acked = this.received;
      this.ackedAt = this.ports.now();
      this.write({ type: "ack", bytes: this.received, time: this.receivedAt });
    }
  }

  private write(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }

  private end(code: number): void {
    if (!this.socket) return;
    this.forget();
    this.events.closed(code);
  }

  private forget(): void {
    if (this.ackTimer !== null) this.ports.clear(this.ackTimer);
    this.ackTimer = null;
    this.socket = null;
    this.connected = false;
  }
}

/** A binary message (WI119); null: it is none. */
export function parseBlock(bytes: Uint8Array): PushedBlock | null {
  if (bytes.length < HEAD_BYTES) return null;
  const head = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES);
  const status = bytes[12]!;
  if (head.getUint32(16, true) !== bytes.length - HEAD_BYTES || status > FRAME_STATUS.unavailable) return null;
  const frame: Frame = { index: head.getUint32(8, true), status, payload: bytes.slice(HEAD_BYTES) };
  return { view: head.getUint32(0, true), from: bytes[4]!, to: bytes[5]!, frame, bytes: bytes.length };
}
