import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { AuditEntry } from "@wavescope/core/wire/accounts/auditClient";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { AuditEntries } from "./AuditEntries";

beforeEach(() => void openPage("/audit"));
afterEach(() => vi.unstubAllGlobals());

const row = (change: Partial<AuditEntry>): string => {
  const who = { sequence: 1, time: "2026-11-22T14:05:09Z", kind: "user", name: "Ada", address: "", action: "exported" };
  const entry: AuditEntry = { ...who, slide: null, title: null, file: null, detail: "", ...change };
  return rendered(<AuditEntries entries={[entry]} />);
};

it("PR37: names the slide by its title at the time beside its id, and the file", () => {
  const html = row({ slide: "he-1", title: "Liver, second cut", file: "he-1.annotations.csv" });
  expect(html).toMatch(/<a [^>]*href="\/slides\/he-1"[^>]*>Liver, second cut<\/a>/);
  expect(html).toMatch(/>he-1</);
  expect(html).toContain(">he-1.annotations.csv<");
});

it("PR37: names what is no slide, without a link", () => {
  const html = row({ title: "Ducts on Monday" });
  expect(html).toContain(">Ducts on Monday<");
  expect(html).not.toContain("<a ");
});
