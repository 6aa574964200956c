import { Alert, Center, Loader, Stack } from "@mantine/core";
import { type EdgeStatus, isNotAnEdge, readEdgeStatus } from "@wavescope/core/wire/accounts/edgeClient";
import { isRefusal } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { PageHeader } from "../accounts/PageHeader";
import { RoleGate } from "../accounts/RoleGate";
import { ErrorPage } from "../ui/ErrorPage";
import { WAITING } from "../ui/pageErrors";
import { dateLabel } from "../ui/dates";
import page from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";
import { EdgePlots } from "./EdgePlots";
import { OriginCards } from "./OriginCards";
import { Summary } from "./Summary";
import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { joined } from "./history";

/** What an edge does now, and did in the last minutes; for admins (PG30). */
export function EdgePage() {
  usePageTitle(t("edge.edge"));
  const { data, error } = useEdgeStatus();
  return (
    <div className={page.page} data-testid="edge-page">
      <PageHeader title={t("edge.edge")} />
      <main className={page.main}>
        {data && !isRefusal(error) ? <Status status={data} responds={error === null} /> : <Instead error={error} />}
      </main>
    </div>
  );
}

/** Shown in place of the status. */
export function Instead({ error }: { readonly error: unknown }) {
  if (isRefusal(error) && !isNotAnEdge(error))
    return (
      <RoleGate least="admin" name={t("edge.edgeInSentence")}>
        <Alert color="red">{explain(error)}</Alert>
      </RoleGate>
    );
  return (
    <Center mih="60dvh">
      {error === null ? (
        <Loader aria-label={t("edge.loading")} />
      ) : isNotAnEdge(error) ? (
        <ErrorPage title={t("edge.notAnEdge")} reason={t("edge.notAnEdgeReason")} />
      ) : (
        <ErrorPage {...WAITING} />
      )}
    </Center>
  );
}

interface Props {
  readonly status: EdgeStatus;
  /** False: these are the last figures of an edge that does not answer. */
  readonly responds: boolean;
}

export function Status({ status, responds }: Props) {
  const last = status.samples.at(-1);
  return (
    <Stack gap="md">
      {!responds && last && (
        <Alert color="yellow" title={t("edge.noAnswer")} role="status">
          {t("edge.noAnswerReason", { time: dateLabel(last.at * 1000, "second") })}
        </Alert>
      )}
      {status.lost && (
        <Alert color="red" title={t("edge.lost")} role="status" data-testid="origins-lost">
          {t("edge.lostReason")}
        </Alert>
      )}
      <Summary status={status} />
      <EdgePlots status={status} />
      <OriginCards status={status} />
    </Stack>
  );
}

const KEY = ["edge"];
const INTERVAL = 2000;

/** The status of the edge, read again every 2 s while the page is visible; not after a refusal (PG30). */
function useEdgeStatus(): UseQueryResult<EdgeStatus> {
  const client = useQueryClient();
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => {
      const known = client.getQueryData<EdgeStatus>(KEY);
      return joined(known, await readEdgeStatus(known?.samples.at(-1)?.number ?? 0, signal));
    },
    retry: false,
    staleTime: 0,
    refetchInterval: ({ state }) => (isRefusal(state.error) || isNotAnEdge(state.error) ? false : INTERVAL),
  });
}
