import { Stack, Title } from "@mantine/core";
import { RecordingList, useRecordings } from "../session/panel/RecordingList";
import { t } from "../../i18n/i18n";

/** The recordings of live sessions that show slides of the case. */
export function CaseRecordings({ slides }: { readonly slides: readonly string[] }) {
  const recordings = useRecordings(slides);
  if (recordings.length === 0) return null;
  return (
    <Stack gap="xs" mt="xl" maw={480}>
      <Title order={2} size="h5">
        {t("session.recordings")}
      </Title>
      <RecordingList recordings={recordings} />
    </Stack>
  );
}
