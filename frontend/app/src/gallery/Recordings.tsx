import { Button, Title } from "@mantine/core";
import { useState } from "react";
import { RecordingList, useRecordings } from "../session/panel/RecordingList";
import styles from "../ui/page.module.css";
import gallery from "./gallery.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const NEWEST = 3;

/** The recordings of live sessions beside the gallery: the newest, and all on request. */
export function Recordings() {
  const [all, setAll] = useState(false);
  const recordings = useRecordings();
  if (recordings.length === 0) return null;
  return (
    <section aria-label={t("session.recordings")} className={styles.cases}>
      <div className={styles.casesHead}>
        <Title order={2} size="h6">
          {t("session.recordings")}
        </Title>
      </div>
      <div className={gallery.recordings}>
        <RecordingList recordings={all ? recordings : recordings.slice(0, NEWEST)} />
      </div>
      {!all && recordings.length > NEWEST && (
        <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
          {t("session.allRecordings", { count: recordings.length })}
        </Button>
      )}
    </section>
  );
}
