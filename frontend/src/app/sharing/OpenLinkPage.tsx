import { Center, Loader } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ProblemError, explain, mayRecover } from "../../wire/http/errors";
import { openLink } from "../../wire/accounts/sharingClient";
import { Refusal } from "../ui/Refusal";
import { WAITING } from "../ui/refusals";
import { casePath, navigate, slidePath } from "../state/router";
import { accountChanged } from "../accounts/account";

/** `/open#TOKEN`: keeps the token where no script reads it and goes to what it opens. */
export function OpenPage() {
  useDocumentTitle("Opening a link – Wavescope");
  const token = location.hash.slice(1);
  const client = useQueryClient();
  const opened = useQuery({
    queryKey: ["link", token],
    queryFn: () => openLink(token),
    enabled: token !== "",
    gcTime: 0,
    staleTime: Infinity,
  });
  const link = opened.data;
  useEffect(() => {
    if (!link) return;
    void accountChanged(client);
    navigate(link.scope === "case" ? casePath(link.target) : slidePath(link.target), {}, { replace: true });
  }, [client, link]);
  const failure = token === "" ? "This link is not whole. Ask whoever sent it for another." : reasonOf(opened.error);
  return (
    <Center mih="100dvh" p="md" component="main">
      {failure !== null ? (
        <Refusal title="The link cannot be opened" reason={failure} testId="link-failure" />
      ) : opened.failureReason ? (
        <Refusal {...WAITING} />
      ) : (
        <Loader aria-label="Opening the link" />
      )}
    </Center>
  );
}

function reasonOf(error: Error | null): string | null {
  if (error === null || mayRecover(error)) return null;
  if (error instanceof ProblemError && error.problem === "link-over")
    return "It has ended, or was taken back. Ask whoever sent it for another.";
  if (error instanceof ProblemError && error.problem === "unknown-link")
    return "There is no such link. Perhaps it was not copied whole.";
  return explain(error);
}
