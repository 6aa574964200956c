import { expect, it } from "vitest";
import { faultOf, plainCode } from "./code";

it.each([
  ["7kqm-2xwd", "7KQM2XWD"],
  [" 7KQM 2XWD ", "7KQM2XWD"],
  ["https://slides.example/join/7KQM2XWD?fallback=1", "7KQM2XWD"],
])("SE5: takes %j for the code %s", (typed, code) => {
  expect(plainCode(typed)).toBe(code);
  expect(faultOf(code)).toBeNull();
});

it.each([
  ["7KQM2XW", "A code has 8 letters and digits. This one has 7."],
  ["7KQM2XW0", "Codes do not contain 0: zero, one, I, L, O and U are not used."],
  ["7KQM2XWÄ", "A code has only letters and digits."],
])("says what is wrong with %s", (typed, fault) => {
  expect(faultOf(typed)).toBe(fault);
});
