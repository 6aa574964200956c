/** Learning platforms that may launch, and who of their courses has not begun a quiz (lti.md, LT1 to LT5, LT30). */
import type * as Wire from "../generated/types";
import { call } from "../http/api";
import type { Fixed } from "../http/json";

export type Platform = Fixed<Wire.PlatformView>;
export type NewPlatform = Fixed<Wire.NewPlatform>;
/** All platforms, and what an administrator enters at a platform. */
export type Platforms = Fixed<Wire.PlatformList>;
/** The address at which one platform registers itself. */
export type Invitation = Fixed<Wire.PlatformInvitation>;

export type Course = Fixed<Wire.CourseView>;

export async function readCourses(quiz: string, signal?: AbortSignal): Promise<readonly Course[]> {
  return (await call("GET /lti/courses/{quiz_id}", { path: { quiz_id: quiz }, signal })).courses;
}

export async function listPlatforms(signal?: AbortSignal): Promise<Platforms> {
  return call("GET /lti/platforms", { signal });
}

export async function addPlatform(platform: NewPlatform): Promise<void> {
  await call("POST /lti/platforms", { body: platform });
}

export async function removePlatform(id: string): Promise<void> {
  await call("DELETE /lti/platforms/{platform_id}", { path: { platform_id: id } });
}

export async function invitePlatform(): Promise<Invitation> {
  return call("POST /lti/invitations");
}
