/** Coverage with the account of a user who agreed (CV8): what is stored there comes, and what is added goes there. */
import { createStore } from "zustand/vanilla";
import {
  deleteStoredCoverage,
  readStoredCoverage,
  shareCoverage,
  storeCoverage,
  storedSlides,
} from "@wavescope/core/wire/accounts/coverageClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { agreed, noteAgreed } from "@wavescope/core/wire/stored/seenStore";
import { slideStore } from "@wavescope/core/wire/stored/slideStore";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { type Coverage, coverageIn, coverageLog, coverageOf } from "@wavescope/viewer/navigation/coverage";
import { mergedViews } from "@wavescope/viewer/navigation/seenViews";
import { t } from "@wavescope/core/i18n/i18n";
import { notifyFailure } from "../../ui/notice";

/** Milliseconds for which additions are collected. */
const COLLECTED = 3000;

interface Agreement {
  /** To store coverage with the account; null: not known yet. */
  readonly agreed: boolean | null;
  /** To share it without the name. */
  readonly shared: boolean;
}

export const agreement = createStore<Agreement>(() => ({ agreed: null, shared: false }));

const NOTHING: { readonly agreed: boolean; readonly shared: boolean } = { agreed: false, shared: false };

/** Whether the page has a signed-in user. */
export function hasAccount({ manifest }: Microscope): boolean {
  return !manifest.files && slideStore.owner?.startsWith("user-") === true;
}

export async function setAgreed(microscope: Microscope, yes: boolean): Promise<void> {
  try {
    if (yes) await store(microscope);
    else await deleteStoredCoverage();
    noteAgreed(yes);
    agreement.setState({ agreed: yes, shared: false });
  } catch (error) {
    notifyFailure(t("coverage.notStored"), explain(error));
  }
}

export async function setShared(yes: boolean): Promise<void> {
  try {
    const { shared } = await shareCoverage(yes);
    agreement.setState({ shared });
  } catch (error) {
    notifyFailure(t("coverage.notShared"), explain(error));
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
    if (!agreement.getState().agreed || isSame(now, before)) return;
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
  const stored = known === false ? NOTHING : await storedSlides(); // the user may have changed it elsewhere
  const yes = stored.agreed;
  if (yes !== known) noteAgreed(yes);
  if (yes) {
    const log = await readStoredCoverage(microscope.manifest.id);
    const there = coverageIn(log);
    coverageOf(microscope).setState(({ views, at, reviewed }) => ({
      views: mergedViews(there.views, views),
      at: at ?? there.at,
      reviewed: reviewed ?? log.reviewed,
    }));
  }
  agreement.setState({ agreed: yes, shared: stored.shared });
}

/** Unless the user has withdrawn the consent elsewhere. */
async function storeMore(microscope: Microscope): Promise<void> {
  if ((await storedSlides()).agreed) return store(microscope);
  noteAgreed(false);
  agreement.setState(NOTHING);
}

function store(microscope: Microscope): Promise<void> {
  const coverage = coverageOf(microscope).getState();
  return storeCoverage(microscope.manifest.id, { ...coverageLog(coverage), reviewed: coverage.reviewed });
}

function isSame(now: Coverage, before: Coverage): boolean {
  return now.views === before.views && now.at === before.at && now.reviewed === before.reviewed;
}
