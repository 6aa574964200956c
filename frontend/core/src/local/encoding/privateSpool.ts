/** A spool in the browser's private file storage, for a worker: two files in a folder of their own, removed when it ends. */
import type { Content, Spool, Ticket } from "./spool";

/** What workers have of a file (not in the types of pages). */
interface SyncAccess {
  write(bytes: Uint8Array, options: { readonly at: number }): number;
  read(into: Uint8Array, options: { readonly at: number }): number;
  truncate(size: number): void;
  flush(): void;
  close(): void;
}
type SyncFile = FileSystemFileHandle & { createSyncAccessHandle(): Promise<SyncAccess> };

const FOLDER = "encoding";
const lockOf = (name: string): string => `wavescope-encoding-${name}`;

/** Throws where the browser has no such storage. What encodings of pages that are closed have left is removed first. */
export async function openPrivateSpool(): Promise<Spool> {
  const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
  await removeLeftovers(root);
  const name = crypto.randomUUID();
  const unlock = await lock(lockOf(name));
  const folder = await root.getDirectoryHandle(name, { create: true });
  const files = (await folder.getFileHandle("files", { create: true })) as SyncFile;
  const means = (await folder.getFileHandle("means", { create: true })) as SyncFile;
  const spool = new PrivateSpool(files, await files.createSyncAccessHandle(), await means.createSyncAccessHandle());
  return Object.assign(spool, {
    remove: async () => {
      spool.close();
      await root.removeEntry(name, { recursive: true }).catch(() => undefined); // the next encoding removes it
      unlock();
    },
  });
}

/** Held until the answer is called, or the worker ends. */
function lock(name: string): Promise<() => void> {
  return new Promise((held, failed) => {
    navigator.locks.request(name, () => new Promise<void>((release) => held(release))).catch(failed);
  });
}

async function removeLeftovers(root: FileSystemDirectoryHandle): Promise<void> {
  const entries = root as unknown as { keys(): AsyncIterable<string> };
  for await (const name of entries.keys())
    await navigator.locks.request(lockOf(name), { ifAvailable: true }, async (held) => {
      if (held) await root.removeEntry(name, { recursive: true }).catch(() => undefined);
    });
}

class PrivateSpool implements Spool {
  private length = 0;
  private meansEnd = 0;
  /** Places of means that were taken, by their size. */
  private readonly free = new Map<number, number[]>();
  private file: Blob | null = null;
  private isOpen = true;

  constructor(
    private readonly handle: FileSystemFileHandle,
    private readonly files: SyncAccess,
    private readonly means: SyncAccess,
  ) {}

  store(parts: readonly Uint8Array[]): Content {
    const from = this.length;
    for (const part of parts) {
      written(this.files, part, this.length);
      this.length += part.length;
    }
    const end = this.length;
    return {
      size: end - from,
      read: (start, stop) => Promise.resolve(readFrom(this.files, from + start, stop - start)),
      blob: () => this.file!.slice(from, end),
    };
  }

  put(bytes: Uint8Array<ArrayBuffer>): Ticket {
    const size = bytes.length;
    const at = this.free.get(size)?.pop() ?? this.meansEnd;
    this.meansEnd = Math.max(this.meansEnd, at + size);
    written(this.means, bytes, at);
    return { at, size };
  }

  take({ at, size }: Ticket): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = readFrom(this.means, at, size);
    this.free.set(size, [...(this.free.get(size) ?? []), at]);
    return Promise.resolve(bytes);
  }

  clear(): void {
    this.files.truncate(0);
    this.length = this.meansEnd = 0;
    this.free.clear();
  }

  async finish(): Promise<void> {
    this.files.flush();
    this.close();
    this.file = await this.handle.getFile();
  }

  close(): void {
    if (this.isOpen) for (const one of [this.files, this.means]) one.close();
    this.isOpen = false;
  }

  remove(): Promise<void> {
    this.close();
    return Promise.resolve();
  }
}

function written(file: SyncAccess, bytes: Uint8Array, at: number): void {
  if (file.write(bytes, { at }) !== bytes.length)
    throw new DOMException("the browser's storage is full", "QuotaExceededError");
}

function readFrom(file: SyncAccess, at: number, size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  if (file.read(bytes, { at }) !== size)
    throw new DOMException("the browser's storage was cleared", "NotReadableError");
  return bytes;
}
