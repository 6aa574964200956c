/** Live sessions and their recordings: what is asked outside the live connection (session.md, 2, 3, 8). */
import type * as Wire from "../generated/types";
import { call, part } from "../http/api";
import { ContractError } from "../http/errors";
import type { Fixed } from "../http/json";

export interface Session {
  readonly id: string;
  readonly code: string;
  readonly title: string;
  readonly state: Wire.SessionBody["state"];
  readonly owner: boolean;
  readonly present: number;
  readonly passcode: boolean;
  readonly guests: boolean;
}

export type NewSession = Fixed<Wire.NewSession>;
/** What a code shows before one joins. `joined`: of a member; `account`: one is needed and missing. */
export type Invitation = Fixed<Wire.InvitationView>;
/** `duration` in milliseconds. */
export type Recording = Fixed<Wire.RecordingBody>;
export type RecordingEntry = Fixed<Wire.RecordingEntry>;

function sessionOf({ id, code, title, state, owner, members, passcode, guests }: Wire.SessionBody): Session {
  return { id, code, title, state, owner, present: members, passcode, guests };
}

/** Who was present in a session, in the order of the first arrival (SE60). */
export type Attendee = Fixed<Wire.AttendeeBody>;

export async function readAttendance(id: string, signal?: AbortSignal): Promise<readonly Attendee[]> {
  return (await call("GET /sessions/{session_id}/attendance", { path: { session_id: id }, signal })).people;
}

/** The address of the same as CSV. */
export const attendanceFile = (id: string): string => `/api/v1/sessions/${part(id)}/attendance/file`;

/** The path of a session's live connection. */
export const livePath = (id: string): string => `/api/v1/sessions/${part(id)}/live`;

export async function createSession(request: NewSession): Promise<Session> {
  return sessionOf(await call("POST /sessions", { body: request }));
}

export async function listSessions(signal?: AbortSignal): Promise<Session[]> {
  return (await call("GET /sessions", { signal })).sessions.map(sessionOf);
}

/** Another code for those who are still to join; the old one is of no use then. */
export async function replaceCode(id: string): Promise<void> {
  await call("PATCH /sessions/{session_id}", { path: { session_id: id }, body: { new_code: true } });
}

export async function readInvitation(code: string, signal?: AbortSignal): Promise<Invitation> {
  const invitation = await call("GET /sessions/{code}", { path: { code }, signal });
  if (!("host" in invitation)) throw new ContractError("invitation to a session", "/host", "missing");
  return invitation;
}

/** Gives the session's id. */
export async function joinSession(code: string, nickname: string, passcode: string | null): Promise<string> {
  return (await call("POST /sessions/{code}/join", { path: { code }, body: { nickname, passcode } })).id;
}

export async function listRecordings(signal?: AbortSignal): Promise<readonly Recording[]> {
  return (await call("GET /recordings", { signal })).recordings;
}

export async function readRecording(id: string, signal?: AbortSignal): Promise<Recording> {
  return call("GET /recordings/{recording_id}", { path: { recording_id: id }, signal });
}

/** All entries of a recording, in order. */
export async function readEntries(recording: Recording, signal?: AbortSignal): Promise<readonly RecordingEntry[]> {
  const path = { recording_id: recording.id };
  const chunks = await Promise.all(
    Array.from({ length: recording.chunks }, (_, chunk) =>
      call("GET /recordings/{recording_id}/entries", { path, query: { chunk }, signal }),
    ),
  );
  return chunks.flatMap(({ entries }) => entries);
}

/** Whether everybody who may view its slides may see it. */
export async function shareRecording(id: string, shared: boolean): Promise<Recording> {
  return call("PATCH /recordings/{recording_id}", { path: { recording_id: id }, body: { shared } });
}

export async function deleteRecording(id: string): Promise<void> {
  await call("DELETE /recordings/{recording_id}", { path: { recording_id: id } });
}

/** Makes a tour of the recording; gives the tour's id. */
export async function tourOfRecording(id: string, title: string): Promise<string> {
  return (await call("POST /recordings/{recording_id}/tour", { path: { recording_id: id }, body: { title } })).id;
}
