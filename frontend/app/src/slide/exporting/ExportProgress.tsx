import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { ProblemError } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { type RunningExport, cancelExport, exportFile, readExport } from "@wavescope/core/wire/catalog/exportsClient";
import { t } from "@wavescope/core/i18n/i18n";

const POLL_MILLISECONDS = 400;
const hasEnded = (job: RunningExport | undefined): boolean =>
  job !== undefined && job.state !== "queued" && job.state !== "running";

/** The service knows it no more: exports end with the service that made them. */
const isLost = (error: Error | null): boolean => error instanceof ProblemError && error.problem === "unknown-export";

interface Props {
  readonly id: string;
  readonly onClose: () => void;
  /** Another export. */
  readonly onOther: () => void;
  /** The same once more. */
  readonly onAgain: () => void;
  /** Why that did not begin. */
  readonly failure: Error | null;
}

/** How far an export is; then its file. */
export function ExportProgress({ id, onClose, onOther, onAgain, failure }: Props) {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ["export", id],
    queryFn: ({ signal }) => readExport(id, signal),
    refetchInterval: ({ state }) => (hasEnded(state.data) || isLost(state.error) ? false : POLL_MILLISECONDS),
    gcTime: 0,
  });
  const lost = isLost(query.error);
  const now = lost ? undefined : query.data;
  const ended = lost || hasEnded(now);
  const percent = now && now.total > 0 ? (100 * now.done) / now.total : 0;
  const cancel = async (): Promise<void> => {
    await cancelExport(id);
    await client.invalidateQueries({ queryKey: ["export", id] });
  };
  return (
    <Stack data-testid="export-progress" data-state={lost ? "lost" : (now?.state ?? "queued")}>
      <Text size="sm" role="status">
        {lost ? t("exporting.interrupted") : progressText(now)}
      </Text>
      {!ended && <Progress value={percent} aria-label={t("exporting.progress")} />}
      {now?.state === "failed" && <Alert color="red">{now.reason}</Alert>}
      {query.error && !lost && <Alert color="yellow">{explain(query.error)}</Alert>}
      {failure && <Alert color="red">{explain(failure)}</Alert>}
      <Group justify="flex-end">
        {ended ? (
          <Button variant="default" onClick={onOther}>
            {t("exporting.anotherRegion")}
          </Button>
        ) : (
          <Button variant="default" onClick={() => void cancel()}>
            {t("common.cancel")}
          </Button>
        )}
        {now?.state === "done" ? (
          <Button component="a" href={exportFile(id)} download={now.filename} leftSection={<IconDownload size={16} />}>
            {t("exporting.saveFile")}
          </Button>
        ) : lost || now?.state === "failed" ? (
          <Button onClick={onAgain}>{t("exporting.exportAgain")}</Button>
        ) : (
          <Button variant="default" onClick={onClose}>
            {t("common.close")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function progressText(now: RunningExport | undefined): string {
  if (!now || now.state === "queued") return t("exporting.queued");
  if (now.state === "running")
    return t("exporting.writing", {
      filename: now.filename,
      percent: Math.floor((100 * now.done) / Math.max(1, now.total)),
    });
  if (now.state === "done") return t("exporting.ready", { filename: now.filename });
  return now.state === "cancelled" ? t("exporting.cancelled") : t("exporting.failed");
}
