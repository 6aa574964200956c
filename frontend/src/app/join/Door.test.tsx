import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Invitation } from "../../wire/sessions/sessionsClient";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { Door } from "./Door";

beforeEach(() => {
  openPage("/join/7KQM2XWD");
  vi.stubGlobal("localStorage", { getItem: () => null });
});
afterEach(() => vi.unstubAllGlobals());

const door = (recording: boolean): string => {
  const who = {
    code: "7KQM2XWD",
    title: "Ducts",
    host: "Ada",
    state: "live",
    passcode: false,
    account: false,
  } as const;
  return rendered(<Door invitation={{ ...who, recording, joined: null } satisfies Invitation} />);
};

it("SE5: says before joining that the session is recorded, and only then", () => {
  expect(door(true)).toContain("This session is being recorded");
  expect(door(false)).not.toContain("recorded-notice");
  for (const html of [door(true), door(false)]) expect(html).toContain("Live session of Ada");
});
