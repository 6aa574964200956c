// The service that a spec shares with others (services.ts).
import type { Service } from "./service.ts";
import type { Kind } from "./services.ts";
import { test } from "./test.ts";

export interface Shared {
  readonly service: Service;
}

/** As it began, before the tests of the spec. */
export function sharedService(kind: Exclude<Kind, "clinic"> = "slides"): Shared {
  const shared = {} as { service: Service };
  test.beforeAll(async ({ services }) => {
    shared.service = (await services.of(kind)).service;
  });
  return shared;
}

/** With accounts; the slide belongs to Ivan. */
export function sharedClinic(slide: string): Shared {
  const shared = {} as { service: Service };
  test.beforeAll(async ({ services }) => {
    shared.service = await services.clinic(slide);
  });
  return shared;
}
