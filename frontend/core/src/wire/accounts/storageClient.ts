/** The disk of the store (operation.md, OP23). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type Storage = Fixed<Wire.StorageView>;

export async function readStorage(signal?: AbortSignal): Promise<Storage> {
  return call("GET /storage", { signal });
}
