import { useDocumentTitle } from "@mantine/hooks";
import { useEffect } from "react";
import { carrySession } from "../state/router";

/** The link of a recording: it is opened by the host of sessions, and goes on at the slide that it begins with. */
export function RecordingPage({ id }: { readonly id: string }) {
  useDocumentTitle("Recording – Wavescope");
  useEffect(() => carrySession("recording", id), [id]);
  return null;
}
