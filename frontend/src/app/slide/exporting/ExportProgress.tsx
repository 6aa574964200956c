import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { explain } from "../../../wire/errors";
import { type RunningExport, cancelExport, exportFile, readExport } from "../../../wire/exportsClient";

const ASK_AGAIN = 400;
const hasEnded = (one: RunningExport | undefined): boolean => one !== undefined && one.state !== "queued" && one.state !== "running";

interface Props {
  readonly id: string;
  readonly onClose: () => void;
  readonly onAgain: () => void;
}

/** How far an export is; then its file. */
export function ExportProgress({ id, onClose, onAgain }: Props) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["export", id],
    queryFn: ({ signal }) => readExport(id, signal),
    refetchInterval: ({ state }) => (hasEnded(state.data) ? false : ASK_AGAIN),
    gcTime: 0,
  });
  const now = query.data;
  const percent = now && now.total > 0 ? (100 * now.done) / now.total : 0;
  const cancel = async (): Promise<void> => {
    await cancelExport(id);
    await client.invalidateQueries({ queryKey: ["export", id] });
  };
  return (
    <Stack data-testid="export-progress" data-state={now?.state ?? "queued"}>
      <Text size="sm" role="status">
        {wordsFor(now)}
      </Text>
      {!hasEnded(now) && <Progress value={percent} aria-label="Progress of the export" />}
      {now?.state === "failed" && <Alert color="red">{now.reason}</Alert>}
      {query.error && <Alert color="yellow">{explain(query.error)}</Alert>}
      <Group justify="flex-end">
        {hasEnded(now) ? (
          <Button variant="default" onClick={onAgain}>
            Another region
          </Button>
        ) : (
          <Button variant="default" onClick={() => void cancel()}>
            Cancel
          </Button>
        )}
        {now?.state === "done" ? (
          <Button component="a" href={exportFile(id)} download={now.filename} leftSection={<IconDownload size={16} />}>
            Save file
          </Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function wordsFor(now: RunningExport | undefined): string {
  if (!now || now.state === "queued") return "Waiting for its turn";
  if (now.state === "running") return `Writing ${now.filename}: ${Math.floor((100 * now.done) / Math.max(1, now.total))} %`;
  if (now.state === "done") return `${now.filename} is ready`;
  return now.state === "cancelled" ? "Cancelled" : "The export failed";
}
