/** What lies around the picture: all controls, none, or what a projector needs (PG82, PG83). */
import { createStore } from "zustand/vanilla";
import { notify } from "../ui/notice";
import { t } from "@wavescope/core/i18n/i18n";

export type Around = "all" | "nothing" | "presenter";

export const around = createStore<{ readonly shown: Around }>(() => ({ shown: "all" }));

export function show(shown: Around): void {
  if (shown !== "all" && around.getState().shown === "all") notify(t("settings.backByEscape"));
  around.setState({ shown });
}

export const toggle = (shown: "nothing" | "presenter"): void =>
  show(around.getState().shown === shown ? "all" : shown);
