import { expect, it } from "vitest";
import { OfflineError } from "@wavescope/core/wire/http/errors";
import { EncodingError } from "@wavescope/core/local/encoding/encodeLocal";
import { rendered } from "../rendered";
import { Running } from "./EncodeDialog";
import { reasonOf } from "./reason";

it("says what is done, how much of it, and how long it will take (LI23)", () => {
  expect(rendered(<Running progress={null} />)).toContain("Starting");
  const shown = (phase: "hashing" | "choosing" | "encoding", secondsLeft: number | null): string =>
    rendered(<Running progress={{ phase, share: 0.256, secondsLeft }} />);
  expect(shown("hashing", null)).toContain("Reading the file 25%.");
  expect(shown("choosing", null)).toContain("Choosing encoding parameters");
  expect(shown("encoding", null)).toContain("Encoding 25%.");
  expect(shown("encoding", 90)).toContain("Encoding 25%, 2\u202fmin left.");
});

it("says why a file was not encoded (LI22)", () => {
  expect(reasonOf(new EncodingError("full", true))).toBe("there is not enough space in the browser's storage");
  expect(reasonOf(new EncodingError("no worker", false))).toBe("no worker");
  expect(reasonOf(new OfflineError("x"))).not.toBe("");
});
