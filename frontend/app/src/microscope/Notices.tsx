import { Alert } from "@mantine/core";
import { useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { startState } from "@wavescope/viewer/core/viewState";
import { type Substitute, fromStore } from "@wavescope/core/wire/slides/manifestClient";
import { explain } from "@wavescope/core/wire/http/explain";
import styles from "./notices.module.css";
import { createStore } from "zustand/vanilla";
import { later } from "../ui/later/Later";
import { t } from "@wavescope/core/i18n/i18n";

// The service answers where these are shown: their code comes with the first of them.
const FallbackNotice = later(async () => (await import("./rareNotices")).FallbackNotice);
const StaleNotice = later(async () => (await import("./rareNotices")).StaleNotice);

interface Props {
  readonly microscope: Microscope | null;
  readonly failure: Error | null;
  readonly onReload: () => void;
}

const closed = createStore(() => startState);

/** What the user must know beside the picture: no service, another version, a fallback, a failure. */
export function Notices({ microscope, failure, onReload }: Props) {
  const { offline, stale, fallbackReason, fidelity } = useStore(microscope?.state ?? closed);
  const [read, setRead] = useState(false);
  const substitute = useStore(fromStore, ({ manifests }) => microscope && manifests.get(microscope.manifest));
  return (
    <div className={styles.notices} aria-live="polite" data-keep>
      {failure && (
        <Alert color="red" title={t("microscope.notOpened")}>
          {explain(failure)}
        </Alert>
      )}
      {(offline || substitute) && <OfflineNotice substitute={substitute ?? null} />}
      {stale && microscope && !microscope.manifest.preview && (
        <StaleNotice slide={microscope.manifest.id} onReload={onReload} />
      )}
      {fidelity === "damaged" && <DamageNotice />}
      {fallbackReason !== null && !microscope?.manifest.preview && !read && (
        <FallbackNotice reason={fallbackReason} onClose={() => setRead(true)} />
      )}
    </div>
  );
}

/** What is shown while the service does not answer. */
export function OfflineNotice({ substitute }: { readonly substitute: Substitute | null }) {
  const [title, hint] = {
    none: [t("common.serviceOffline"), t("microscope.offlineHint")],
    browser: [t("microscope.offlineSeen"), t("microscope.offlineSeenHint")],
    edge: [t("microscope.offlineCached"), t("microscope.offlineCachedHint")],
  }[substitute ?? "none"];
  return (
    <Alert color="yellow" title={title} data-testid="offline-notice">
      {hint}
    </Alert>
  );
}

/** What the hatching means and what to do about it. It returns with the next corrupt block. */
function DamageNotice() {
  const [read, setRead] = useState(false);
  if (read) return null;
  return (
    <Alert
      color="red"
      title={t("microscope.damagedTitle")}
      withCloseButton
      closeButtonLabel={t("common.close")}
      onClose={() => setRead(true)}
      data-testid="damage-notice"
    >
      {t("microscope.damagedLong")}
    </Alert>
  );
}
