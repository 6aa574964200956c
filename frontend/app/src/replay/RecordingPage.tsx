import { useEffect } from "react";
import { setSessionInAddress } from "../state/router";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** The link of a recording: it is opened by the host of sessions, and goes on at the slide that it begins with. */
export function RecordingPage({ id }: { readonly id: string }) {
  usePageTitle(t("session.recording"));
  useEffect(() => setSessionInAddress("recording", id), [id]);
  return null;
}
