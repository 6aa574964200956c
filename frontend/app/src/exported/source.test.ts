import { describe, expect, it } from "vitest";
import { SlideFileError } from "@wavescope/core/wire/files/errors";
import { CorruptError, OfflineError } from "@wavescope/core/wire/http/errors";
import { fileInAddress, reasonOf } from "./source";

describe("the address of the page", () => {
  it("names a file, also one beside it; else the page's own folder is opened (SH5)", () => {
    expect(fileInAddress("https://a.example/slides/liver/")).toBeNull();
    expect(fileInAddress("https://a.example/?file=https://b.example/liver.wsz")).toBe("https://b.example/liver.wsz");
    expect(fileInAddress("https://a.example/page/?file=liver.wsz#x=1")).toBe("https://a.example/page/liver.wsz");
  });

  it("names nothing but addresses of the web (SH8)", () => {
    for (const named of [
      "javascript:alert(1)",
      "data:,a",
      "file:///etc/passwd",
      "blob:https://a.example/1",
      "https://",
    ])
      expect(() => fileInAddress(`https://a.example/?file=${encodeURIComponent(named)}`)).toThrow(SlideFileError);
  });
});

it("says why a slide cannot be opened (SH8)", () => {
  expect(reasonOf(new SlideFileError("no-ranges", "a"))).toMatch(/range requests/);
  expect(reasonOf(new SlideFileError("malformed", "a"))).toMatch(/incomplete/);
  expect(reasonOf(new CorruptError("a"))).toMatch(/incomplete/);
  expect(reasonOf(new OfflineError("a"))).toMatch(/does not answer/);
});
