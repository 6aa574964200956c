import { describe, expect, it } from "vitest";
import { testManifest } from "@wavescope/core/wire/testing";
import { rendered } from "../../rendered";
import { OriginalFile } from "./OriginalFile";

const original = { name: "Łódź & <b>.svs", bytes: 2_500_000_000, files: 1, sha256: "a".repeat(64) };

describe("the original file in the information panel", () => {
  it("is offered with its name and size to those to whom the manifest shows it (WI132)", () => {
    const html = rendered(<OriginalFile manifest={testManifest({ id: "s/1", original })} />);
    expect(html).toContain("Łódź &amp; &lt;b&gt;.svs, 2.5\u202fGB");
    expect(html).toContain('href="/api/v1/slides/s%2F1/original"');
    expect(html).toContain("Delete original file");
  });

  it.each([{ original: null }, {}])("is not mentioned to others (%j)", (served) => {
    expect(rendered(<OriginalFile manifest={testManifest(served)} />)).toBe("");
  });
});
