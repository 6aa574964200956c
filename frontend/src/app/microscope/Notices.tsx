import { Alert, Button, Group } from "@mantine/core";
import { useState } from "react";
import { useStore } from "zustand";
import type { Microscope } from "../../viewer/core/microscope";
import { startState } from "../../viewer/core/viewState";
import { explain } from "../../wire/http/errors";
import styles from "./slide.module.css";
import { createStore } from "zustand/vanilla";

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
  return (
    <div className={styles.notices} aria-live="polite">
      {failure && (
        <Alert color="red" title="The microscope cannot be opened">
          {explain(failure)}
        </Alert>
      )}
      {offline && (
        <Alert color="yellow" title="The service does not answer" data-testid="offline-notice">
          What has been fetched stays. Trying again by itself.
        </Alert>
      )}
      {stale && !scope?.manifest.preview && (
        <Alert color="yellow" title="This slide has changed" data-testid="stale-notice">
          <Group justify="space-between" wrap="nowrap">
            It was replaced or deleted while it was open.
            <Button size="compact-sm" onClick={onReload}>
              Reload
            </Button>
          </Group>
        </Alert>
      )}
      {fidelity === "damaged" && <DamageNotice />}
      {fallbackReason !== null && !scope?.manifest.preview && !read && (
        <Alert
          color="blue"
          title="Pictures are made by the service"
          withCloseButton
          closeButtonLabel="Close"
          onClose={() => setRead(true)}
          data-testid="fallback-notice"
        >
          The same pixels, but more bytes: {fallbackReason}.
        </Alert>
      )}
    </div>
  );
}

/** What the hatching means and what to do about it. It comes again with the next damaged place. */
function DamageNotice() {
  const [read, setRead] = useState(false);
  if (read) return null;
  return (
    <Alert
      color="red"
      title="Part of this slide is damaged"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setRead(true)}
      data-testid="damage-notice"
    >
      The hatched areas cannot be read from storage. A coarser picture is shown dimmed in their place: do not rely on it
      for detail. The rest of the view is intact. Ask your administrator to check the slide and to import it again.
    </Alert>
  );
}
