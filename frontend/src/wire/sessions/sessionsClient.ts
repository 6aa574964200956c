/** Live sessions and their recordings: what is asked outside the live connection (session.md, 2, 3, 8). */
import { getJson, part, sendJson } from "../http/api";
import { type Json, asArray, asObject, numberOf, text, textOrNull, whole } from "../http/shape";

export interface Session {
  readonly id: string;
  readonly code: string;
  readonly title: string;
  readonly state: string;
  readonly owner: boolean;
  readonly present: number;
  readonly passcode: boolean;
  readonly guests: boolean;
}

export interface NewSession {
  readonly title: string;
  readonly slides: readonly string[];
  readonly nickname: string;
  readonly passcode: string | null;
  readonly guests: boolean;
  readonly everyone_steers: boolean;
  readonly guests_annotate: boolean;
  readonly stage: unknown;
  readonly view: unknown;
}

/** What a code tells before one joins. */
export interface Invitation {
  readonly code: string;
  readonly title: string;
  readonly host: string;
  readonly passcode: boolean;
  /** Whether an account is needed and not there. */
  readonly account: boolean;
  /** Whether it is being recorded now (SE5). */
  readonly recording: boolean;
  /** Whoever is a member already. */
  readonly joined: { readonly id: string; readonly member: string } | null;
}

export interface Recording {
  readonly id: string;
  readonly session: string;
  readonly title: string;
  readonly created: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly bytes: number;
  readonly state: string;
  readonly shared: boolean;
  readonly owner: boolean;
  readonly chunks: number;
}

function parseSession(value: unknown): Session {
  const from = asObject(value, "session");
  return {
    id: text(from, "id"),
    code: text(from, "code"),
    title: text(from, "title"),
    state: text(from, "state"),
    owner: from.owner === true,
    present: whole(from, "members"),
    passcode: from.passcode === true,
    guests: from.guests === true,
  };
}

function parseRecording(value: unknown): Recording {
  const from = asObject(value, "recording");
  return {
    id: text(from, "id"),
    session: text(from, "session"),
    title: text(from, "title"),
    created: text(from, "created"),
    duration: numberOf(from, "duration"),
    bytes: numberOf(from, "bytes"),
    state: text(from, "state"),
    shared: from.shared === true,
    owner: from.owner === true,
    chunks: whole(from, "chunks"),
  };
}

/** The path of a session's live connection. */
export const livePath = (id: string): string => `/api/v1/sessions/${part(id)}/live`;

export async function createSession(asked: NewSession): Promise<Session> {
  return parseSession(await sendJson("POST", "/sessions", asked));
}

export async function listSessions(signal?: AbortSignal): Promise<Session[]> {
  return asArray(asObject(await getJson("/sessions", signal), "sessions").sessions, "sessions").map(parseSession);
}

/** Another code for who is still to join; the old one is of nobody's use then. */
export async function replaceCode(id: string): Promise<void> {
  await sendJson("PATCH", `/sessions/${part(id)}`, { new_code: true });
}

export async function readInvitation(code: string, signal?: AbortSignal): Promise<Invitation> {
  const from = asObject(await getJson(`/sessions/${part(code)}`, signal), "invitation");
  const joined = from.joined === null || from.joined === undefined ? null : asObject(from.joined, "joined");
  return {
    code: text(from, "code"),
    title: text(from, "title"),
    host: text(from, "host"),
    passcode: from.passcode === true,
    account: from.account === true,
    recording: from.recording === true,
    joined: joined && { id: text(joined, "id"), member: text(joined, "member") },
  };
}

/** Answers the session's id. */
export async function joinSession(code: string, nickname: string, passcode: string | null): Promise<string> {
  return text(
    asObject(await sendJson("POST", `/sessions/${part(code)}/join`, { nickname, passcode }), "membership"),
    "id",
  );
}

export async function listRecordings(signal?: AbortSignal): Promise<Recording[]> {
  return asArray(asObject(await getJson("/recordings", signal), "recordings").recordings, "recordings").map(
    parseRecording,
  );
}

export async function readRecording(id: string, signal?: AbortSignal): Promise<Recording> {
  return parseRecording(await getJson(`/recordings/${part(id)}`, signal));
}

/** All entries of a recording, in order. */
export async function readEntries(recording: Recording, signal?: AbortSignal): Promise<readonly Json[]> {
  const chunks = await Promise.all(
    Array.from({ length: recording.chunks }, async (_, n) =>
      asObject(await getJson(`/recordings/${part(recording.id)}/entries?chunk=${n}`, signal), "entries"),
    ),
  );
  return chunks.flatMap(({ entries }) => asArray(entries, "entries").map((entry) => asObject(entry, "entry")));
}

/** Whether everybody who may view its slides may see it. */
export async function shareRecording(id: string, shared: boolean): Promise<Recording> {
  return parseRecording(await sendJson("PATCH", `/recordings/${part(id)}`, { shared }));
}

export async function deleteRecording(id: string): Promise<void> {
  await sendJson("DELETE", `/recordings/${part(id)}`);
}

/** Makes a tour of the recording; answers the tour's id. */
export async function tourOfRecording(id: string, title: string): Promise<string> {
  const kept = asObject(await sendJson("POST", `/recordings/${part(id)}/tour`, { title }), "tour");
  return textOrNull(kept, "id") ?? text(asObject(kept.tour, "tour"), "id");
}
