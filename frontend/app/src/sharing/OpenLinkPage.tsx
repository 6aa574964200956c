import { Center, Loader } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ProblemError, mayRecover } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { openLink } from "@wavescope/core/wire/accounts/sharingClient";
import { ErrorPage } from "../ui/ErrorPage";
import { WAITING } from "../ui/pageErrors";
import { casePath, navigate, slidePath } from "../state/router";
import { accountChanged } from "../accounts/account";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** `/open#TOKEN`: keeps the token where no script reads it and goes to what it opens. */
export function OpenPage() {
  usePageTitle(t("sharing.openingLink"));
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
    let left = false;
    void accountChanged(client, "link").then(() => {
      if (!left)
        navigate(link.scope === "case" ? casePath(link.target) : slidePath(link.target), {}, { replace: true });
    });
    return () => {
      left = true;
    };
  }, [client, link]);
  const failure = token === "" ? t("sharing.linkIncomplete") : reasonOf(opened.error);
  return (
    <Center mih="100dvh" p="md" component="main">
      {failure !== null ? (
        <ErrorPage title={t("sharing.notOpened")} reason={failure} testId="link-failure" />
      ) : opened.failureReason ? (
        <ErrorPage {...WAITING} />
      ) : (
        <Loader aria-label={t("sharing.openingLink")} />
      )}
    </Center>
  );
}

function reasonOf(error: Error | null): string | null {
  if (error === null || mayRecover(error)) return null;
  if (error instanceof ProblemError && error.problem === "link-over") return t("sharing.linkEnded");
  if (error instanceof ProblemError && error.problem === "unknown-link") return t("sharing.noSuchLink");
  return explain(error);
}
