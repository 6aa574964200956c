import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { summaryOf } from "@wavescope/core/wire/slides/manifest";
import { servedSummary } from "@wavescope/core/wire/testing";
import { openPage } from "../fakePage";
import { rendered } from "../rendered";
import { SlideCard } from "./SlideCard";

const may = vi.hoisted(() => ({ instructor: true }));
vi.mock("../accounts/account", () => ({ useMay: () => may.instructor }));
vi.mock("../trash/undo", () => ({ useDeleteWithUndo: () => () => undefined }));

beforeEach(() => {
  openPage("/?search=duct&session=5f");
  may.instructor = true;
});
afterEach(() => vi.unstubAllGlobals());

const card = (change: Parameters<typeof servedSummary>[0] = {}): string =>
  rendered(<SlideCard slide={summaryOf(servedSummary(change))} onDialog={() => undefined} />);

it("leads to its slide as a real link, in the session, without what the gallery is narrowed down to", () => {
  expect(card({ id: "he 1" })).toContain('href="/slides/he%201?session=5f"');
});

it("tells planes, stored quality and bytes only where they say something", () => {
  const [bare, rich] = [card(), card({ planes: 7, profile: "lossless", bytes: [[1500], [500]] })];
  expect(rich).toMatch(/7/);
  expect(rich).toContain("lossless");
  expect(rich).toContain("2.0\u202fkB");
  expect(bare).not.toContain("lossless");
});

it("shows tags as one line, and none where there are none", () => {
  expect(card({ tags: { stain: "H&E", organ: "breast" } })).toContain("H&amp;E · breast");
  expect(card()).not.toContain("H&amp;E");
});

it("offers a menu only to who may change slides", () => {
  expect(card()).toContain('aria-haspopup="menu"');
  may.instructor = false;
  expect(card()).not.toContain('aria-haspopup="menu"');
});
