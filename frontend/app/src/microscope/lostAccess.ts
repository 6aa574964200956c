/** Why an open slide is not shown on: it has another version, or who looks at it may not any more. */
import { createStore } from "zustand/vanilla";
import { isRefusal } from "@wavescope/core/wire/http/errors";
import { readAccount } from "@wavescope/core/wire/accounts/accountClient";
import { checkManifest } from "@wavescope/core/wire/slides/manifestCheck";
import { t } from "@wavescope/core/i18n/i18n";

/** Why delegated access to slides has ended, in words: the live session writes it here. Empty: it has not. */
export const delegatedAccess = createStore<{ readonly ended: string }>(() => ({ ended: "" }));

export interface Loss {
  readonly kind: "replaced" | "signed-out" | "delegated" | "unshared";
  readonly title: string;
  readonly text: string;
}

const loss = (kind: Loss["kind"], title: string, text: string): Loss => ({ kind, title, text });

/** Asks the service what has happened. `signedIn`: whether this page had an account so far. Throws what `call` throws. */
export async function findLoss(slide: string, signedIn: boolean): Promise<Loss> {
  try {
    await checkManifest(slide);
    return loss("replaced", t("microscope.changed"), t("microscope.changedHint"));
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const { ended } = delegatedAccess.getState();
  const account = await readAccount().catch((error: unknown) => {
    if (isRefusal(error)) return null; // its sign-in is not known any more
    throw error;
  });
  if (signedIn && !account?.user) return loss("signed-out", t("microscope.signedOut"), t("microscope.signedOutHint"));
  if (ended) return loss("delegated", t("microscope.accessEnded"), ended);
  const hint =
    account?.user || account?.mode === "local" ? t("microscope.unsharedHint") : t("microscope.linkEndedHint");
  return loss("unshared", t("microscope.accessEnded"), hint);
}
