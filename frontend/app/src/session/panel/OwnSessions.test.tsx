import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Recording } from "@wavescope/core/wire/sessions/sessionsClient";
import { openPage } from "../../fakePage";
import { rendered } from "../../rendered";
import { queryClient } from "../../state/queries";
import { OwnSessions } from "./OwnSessions";

beforeEach(() => void openPage("/slides/he"));
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

it.each<[Recording["state"], boolean]>([
  ["done", true],
  ["running", false],
])("a recording that is %s can be watched: %s", (state, watched) => {
  const recording = { id: "r 1", title: "Ducts", created: "2026-11-22T14:05:09Z", duration: 61_000, state };
  queryClient.setQueryData(["recordings"], [recording as Recording]);
  const html = rendered(<OwnSessions />);
  expect(html).toContain("Ducts");
  expect(html.includes('href="/recordings/r%201"')).toBe(watched);
});
