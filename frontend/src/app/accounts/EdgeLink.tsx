import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { readEdgeStatus } from "../../wire/accounts/edgeClient";
import { addressOf, follow } from "../state/router";
import { t } from "../../i18n/i18n";

/** For admins who use the page through an edge: the way to its status (PG30). */
export function EdgeLink() {
  const { data } = useQuery({
    queryKey: ["is-edge"],
    queryFn: ({ signal }) => readEdgeStatus(0, signal),
    retry: false,
    staleTime: Infinity,
  });
  if (!data) return null;
  return (
    <Anchor href={addressOf("/edge")} onClick={(event) => follow(event, "/edge")} w="fit-content">
      {t("edge.open")}
    </Anchor>
  );
}
