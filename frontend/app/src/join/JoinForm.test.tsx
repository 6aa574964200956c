import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Invitation } from "@wavescope/core/wire/sessions/sessionsClient";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { JoinForm } from "./JoinForm";

beforeEach(() => {
  openPage("/join/7KQM2XWD");
  vi.stubGlobal("localStorage", { getItem: () => null });
});
afterEach(() => vi.unstubAllGlobals());

const form = (recording: boolean): string => {
  const who = {
    code: "7KQM2XWD",
    title: "Ducts",
    host: "Ada",
    state: "live",
    passcode: false,
    account: false,
  } as const;
  return rendered(<JoinForm invitation={{ ...who, recording, joined: null } satisfies Invitation} />);
};

it("SE5: says before joining that the session is recorded, and only then", () => {
  expect(form(true)).toContain("This session is being recorded");
  expect(form(false)).not.toContain("recorded-notice");
  for (const html of [form(true), form(false)]) expect(html).toContain("Live session of Ada");
});
