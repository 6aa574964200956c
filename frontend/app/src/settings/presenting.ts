/** Which controls are shown: all, none, or what a projector needs (PG82, PG83). */
import { createStore } from "zustand/vanilla";
import { notify } from "../ui/notice";
import { t } from "@wavescope/core/i18n/i18n";

export type Controls = "all" | "nothing" | "presenter";

export const controls = createStore<{ readonly shown: Controls }>(() => ({ shown: "all" }));

export function show(shown: Controls): void {
  if (shown !== "all" && controls.getState().shown === "all") notify(t("settings.backByEscape"));
  controls.setState({ shown });
}

export const toggle = (shown: "nothing" | "presenter"): void =>
  show(controls.getState().shown === shown ? "all" : shown);
