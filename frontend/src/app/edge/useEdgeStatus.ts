import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { type EdgeStatus, isNotAnEdge, readEdgeStatus } from "../../wire/accounts/edgeClient";
import { isRefusal } from "../../wire/http/errors";
import { joined } from "./history";

const KEY = ["edge"];
const INTERVAL = 2000;

/** The status of the edge, read again every 2 s while the page is visible; not after a refusal (PG30). */
export function useEdgeStatus(): UseQueryResult<EdgeStatus> {
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
