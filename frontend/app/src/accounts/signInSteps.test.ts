import { expect, it } from "vitest";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import { grouped } from "./secondFactor/SetupForm";
import { stepOf } from "./signInSteps";

it.each([
  ["password-change-required", "new-password"],
  ["second-factor-required", "code"],
  ["second-factor-setup-required", "set-up"],
  ["wrong-credentials", undefined],
  ["wrong-code", undefined],
])("AC54, AC56: %s asks for %s", (problem, step) => {
  expect(stepOf(new ProblemError(problem, 422, problem, ""))).toBe(step);
});

it("a service that does not answer asks for nothing", () => expect(stepOf(new OfflineError())).toBeUndefined());

it("AC53: the key is shown in groups of four", () => expect(grouped("ABCDEFGHIJ")).toBe("ABCD EFGH IJ"));
