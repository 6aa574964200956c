/** Coverage with the account of a user who agreed (CV8): what is stored there comes, and what is added goes there. */
import { createStore } from "zustand/vanilla";
import {
  deleteStoredCoverage,
  isCoverageStored,
  readStoredCoverage,
  storeCoverage,
} from "@wavescope/core/wire/accounts/coverageClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { agreed, noteAgreed } from "@wavescope/core/wire/stored/seenStore";
import { slideStore } from "@wavescope/core/wire/stored/slideStore";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { coverageIn, coverageLog, coverageOf } from "@wavescope/viewer/navigation/coverage";
import { mergedViews } from "@wavescope/viewer/navigation/seenViews";
import { t } from "@wavescope/core/i18n/i18n";
import { notifyFailure } from "../../ui/notice";

/** Milliseconds for which additions are collected. */
const COLLECTED = 3000;

/** Whether the user agreed; null: not known yet. */
export const agreement = createStore<{ readonly agreed: boolean | null }>(() => ({ agreed: null }));

/** Whether the page has a signed-in user. */
export function hasAccount({ manifest }: Microscope): boolean {
  return !manifest.files && slideStore.owner?.startsWith("user-") === true;
}

export async function setAgreed(microscope: Microscope, yes: boolean): Promise<void> {
  try {
    if (yes) await store(microscope);
    else await deleteStoredCoverage();
    noteAgreed(yes);
    agreement.setState({ agreed: yes });
  } catch (error) {
    notifyFailure(t("coverage.notStored"), explain(error));
  }
}

/** Until what it gives is called; what was not stored yet is stored then. */
export function storeWithAccount(microscope: Microscope): () => void {
  if (!hasAccount(microscope)) return () => undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    storeMore(microscope).catch(() => undefined); // it is kept in this browser, and goes with what is added next
  };
  const stop = coverageOf(microscope).subscribe((now, before) => {
    if (!agreement.getState().agreed || (now.views === before.views && now.at === before.at)) return;
    timer ??= setTimeout(flush, COLLECTED);
  });
  void takeUp(microscope).catch(() => undefined);
  addEventListener("pagehide", flush);
  return () => {
    removeEventListener("pagehide", flush);
    flush();
    stop();
  };
}

async function takeUp(microscope: Microscope): Promise<void> {
  const known = agreed();
  const yes = known !== false && (await isCoverageStored()); // the user may have changed it elsewhere
  if (yes !== known) noteAgreed(yes);
  if (yes) {
    const there = coverageIn(await readStoredCoverage(microscope.manifest.id));
    coverageOf(microscope).setState(({ views, at }) => ({
      views: mergedViews(there.views, views),
      at: at ?? there.at,
    }));
  }
  agreement.setState({ agreed: yes });
}

/** Unless the user has withdrawn the consent elsewhere. */
async function storeMore(microscope: Microscope): Promise<void> {
  if (await isCoverageStored()) return store(microscope);
  noteAgreed(false);
  agreement.setState({ agreed: false });
}

function store(microscope: Microscope): Promise<void> {
  return storeCoverage(microscope.manifest.id, coverageLog(coverageOf(microscope).getState()));
}
