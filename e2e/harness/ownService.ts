// A service that one spec has to itself, so that what it leaves there meets no other.
import { dirname } from "node:path";
import { store } from "./microscope.ts";
import { Service, copyStore, removeFolder } from "./service.ts";
import { test } from "./test.ts";

export interface Own {
  /** A spec that kills it puts the next one here. */
  service: Service;
}

/** Started on a copy of the store before the spec's tests, ended and removed after them. */
export function ownService(): Own {
  const own = {} as Own;
  test.beforeAll(async () => {
    own.service = await Service.start(copyStore(store()));
  });
  test.afterAll(async () => {
    await own.service.stop();
    removeFolder(dirname(own.service.store));
  });
  return own;
}
