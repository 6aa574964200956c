/** Whose names the pointers show: as the host has chosen for all, or as this window's user has (SE52). */
import { createStore } from "zustand/vanilla";
import type { SessionState, Settings } from "@wavescope/core/session/state";
import { t } from "@wavescope/core/i18n/i18n";

export type NameChoice = NonNullable<Settings["names"]>;

export const NAME_CHOICES: readonly { readonly value: NameChoice; readonly label: string }[] = [
  { value: "presenter", label: t("session.namesPresenter") },
  { value: "hover", label: t("session.namesHover") },
  { value: "all", label: t("session.namesAll") },
  { value: "none", label: t("session.namesNone") },
];

/** Null: as the host has chosen. */
export const ownNames = createStore<{ readonly choice: NameChoice | null }>(() => ({ choice: null }));

export const hostNames = ({ settings }: Pick<SessionState, "settings">): NameChoice => settings.names ?? "presenter";

/** Whether a member's pointer shows its name; `near`: while the own pointer is near it. */
export function nameOf(session: SessionState, member: string): "shown" | "near" | "hidden" {
  const choice = ownNames.getState().choice ?? hostNames(session);
  if (choice === "hover") return "near";
  return choice === "all" || (choice === "presenter" && member === session.presenter) ? "shown" : "hidden";
}
