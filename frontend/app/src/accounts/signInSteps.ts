/** What a sign-in needs beyond name and password, by the service's answer (AC51, AC54, AC56). */
import { ProblemError } from "@wavescope/core/wire/http/errors";

export type SignInStep = "password" | "new-password" | "code" | "set-up";

const STEPS: Readonly<Record<string, SignInStep>> = {
  "password-change-required": "new-password",
  "second-factor-required": "code",
  "second-factor-setup-required": "set-up",
};

/** The step that a refused sign-in asks for; undefined: the refusal asks for none. */
export function stepOf(error: unknown): SignInStep | undefined {
  return error instanceof ProblemError ? STEPS[error.problem] : undefined;
}
