import { describe, expect, it } from "vitest";
import { rendered } from "../rendered";
import { StorageState } from "./StorageUse";

const GB = 1e9;
const storage = {
  free_bytes: 12 * GB,
  total_bytes: 200 * GB,
  stored_bytes: 70 * GB,
  original_bytes: 20 * GB,
  low_bytes: 20 * GB,
  reserved_bytes: GB,
};

describe("the disk of the store", () => {
  it.each([
    ["ok", false, ""],
    ["low", true, "Little space is left"],
    ["full", true, "Uploads are refused"],
  ] as const)(
    "that is %s is shown with its figures, and with a warning if it needs one (OP23)",
    (state, warned, title) => {
      const html = rendered(<StorageState storage={{ ...storage, state }} />);
      expect(html).toContain("12.0\u202fGB of 200\u202fGB free");
      expect(html).toContain("90.0\u202fGB");
      expect(html.includes("storage-warning")).toBe(warned);
      expect(html).toContain(title);
    },
  );
});
