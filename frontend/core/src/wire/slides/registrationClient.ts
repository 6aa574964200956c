/** Where the tissue of a slide lies on another one (shared/spec/registration.md). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";

export type SlideRegistration = Wire.RegistrationBody;

/** The first request for a pair takes seconds. Rejects with ProblemError `sections-differ` where they do not match. */
export function readRegistration(left: string, right: string, signal?: AbortSignal): Promise<SlideRegistration> {
  const path = { slide_id: left, other_id: right };
  return call("GET /slides/{slide_id}/registrations/{other_id}", { path, signal });
}
