import { describe, expect, it } from "vitest";
import { rendered } from "../rendered";
import type { Incoming } from "../state/uploads";
import { IncomingRow } from "./IncomingList";

const row = (change: Partial<Incoming> = {}): string =>
  rendered(
    <IncomingRow
      job={{
        key: "k",
        name: "series 7",
        phase: "done",
        progress: null,
        secondsLeft: null,
        slideId: "s",
        reason: null,
        jobId: "j",
        quality: "visual",
        channelQuality: "visual",
        time: 1,
        reencoding: false,
        storedAs: [],
        notices: [],
        ...change,
      }}
    />,
  );

describe("the row of an import", () => {
  it("lists what to know of its files, as text (WI26)", () => {
    const html = row({ notices: ["b.dcm: damaged (passed over)", "<b>: damaged"] });
    expect(html).toContain("Ready");
    expect(html).toContain("<li>b.dcm: damaged (passed over)</li><li>&lt;b&gt;: damaged</li>");
    expect(html).toContain('aria-label="Notices about series 7"');
  });

  it("says why an import was stopped and offers to try again, whatever it asked before (WI135)", () => {
    const html = row({ phase: "held", reason: "the ingest was ended from outside", storedAs: ["a"] });
    expect(html).toContain("Import stopped: the ingest was ended from outside. The file is kept.");
    expect(html).toContain('aria-label="Try again to import series 7"');
    expect(html).not.toContain(">Choose<");
    expect(row({ phase: "held" })).toContain("Choose");
  });

  it("has no list without notices", () => {
    expect(row()).not.toContain("<ul");
  });
});
