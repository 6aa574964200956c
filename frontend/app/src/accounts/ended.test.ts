import { expect, test } from "vitest";
import { endedLabel } from "./ended";

test.each([
  [0, 0, "No other sign-in or token was ended."],
  [1, 0, "Ended: 1 sign-in."],
  [0, 2, "Ended: 2 tokens."],
  [3, 1, "Ended: 3 sign-ins and 1 token."],
])("a notice says that %i sign-ins and %i tokens ended (AC49)", (signIns, tokens, words) => {
  expect(endedLabel({ signIns, tokens })).toBe(words);
});
