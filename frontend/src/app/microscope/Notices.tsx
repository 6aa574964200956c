import { Alert, Button, Group } from "@mantine/core";
import { useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "../../viewer/core/microscope";
import { startState } from "../../viewer/core/viewState";
import { type Substitute, fromStore } from "../../wire/slides/manifestClient";
import { explain } from "../../wire/http/explain";
import styles from "./notices.module.css";
import { createStore } from "zustand/vanilla";
import { t } from "../../i18n/i18n";

interface Props {
  readonly scope: Microscope | null;
  readonly failure: Error | null;
  readonly onReload: () => void;
}

const closed = createStore(() => startState);

/** What the user must know beside the picture: no service, another version, a fallback, a failure. */
export function Notices({ scope, failure, onReload }: Props) {
  const { offline, stale, fallbackReason, fidelity } = useStore(scope?.state ?? closed);
  const [read, setRead] = useState(false);
  const substitute = useStore(fromStore, ({ manifests }) => scope && manifests.get(scope.manifest));
  return (
    <div className={styles.notices} aria-live="polite">
      {failure && (
        <Alert color="red" title={t("microscope.notOpened")}>
          {explain(failure)}
        </Alert>
      )}
      {(offline || substitute) && <OfflineNotice substitute={substitute ?? null} />}
      {stale && !scope?.manifest.preview && (
        <Alert color="yellow" title={t("microscope.changed")} data-testid="stale-notice">
          <Group justify="space-between" wrap="nowrap">
            {t("microscope.changedHint")}
            <Button size="compact-sm" onClick={onReload}>
              {t("microscope.reload")}
            </Button>
          </Group>
        </Alert>
      )}
      {fidelity === "damaged" && <DamageNotice />}
      {fallbackReason !== null && !scope?.manifest.preview && !read && (
        <Alert
          color="blue"
          title={t("microscope.fallbackTitle")}
          withCloseButton
          closeButtonLabel={t("common.close")}
          onClose={() => setRead(true)}
          data-testid="fallback-notice"
        >
          {t("microscope.fallbackHint", { fallbackReason })}
        </Alert>
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
