import { expect, it } from "vitest";
import { actionName } from "./actionNames";

it("says created and viewed, and leaves other actions as the log calls them", () => {
  expect(["token made", "looked at label", "signed in", "of a later service"].map(actionName)).toEqual([
    "token created",
    "label viewed",
    "signed in",
    "of a later service",
  ]);
});
