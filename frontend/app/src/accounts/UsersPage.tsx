import { Alert, Loader, Stack, Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import { listUsers } from "@wavescope/core/wire/accounts/usersClient";
import { PageHeader } from "./PageHeader";
import styles from "../ui/page.module.css";
import { GroupTable } from "./people/GroupTable";
import { PlatformSection } from "./platforms/PlatformSection";
import { RoleGate } from "./RoleGate";
import { StorageUse } from "./StorageUse";
import { UserTable } from "./people/UserTable";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";
import { readEdgeStatus } from "@wavescope/core/wire/accounts/edgeClient";
import { addressOf, follow } from "../state/router";

/** Users and groups, for admins. */
export function UsersPage() {
  usePageTitle(t("accounts.usersAndGroups"));
  return (
    <div className={styles.page} data-testid="people-page">
      <PageHeader title={t("accounts.usersAndGroups")} />
      <main className={styles.main}>
        <RoleGate least="admin" name={t("accounts.usersAndGroupsInSentence")} accountsOnly>
          <People />
        </RoleGate>
      </main>
    </div>
  );
}

function People() {
  const users = useQuery({ queryKey: ["users"], queryFn: ({ signal }) => listUsers(signal) });
  return (
    <>
      {users.isPending && <Loader aria-label={t("accounts.loadingUsers")} />}
      {users.error && <Alert color="red">{explain(users.error)}</Alert>}
      {users.data && (
        <Stack gap="xl" maw={960}>
          <StorageUse />
          <EdgeLink />
          <UserTable users={users.data} />
          <GroupTable users={users.data} />
          <PlatformSection />
        </Stack>
      )}
    </>
  );
}

/** For admins who use the page through an edge: the way to its status (PG30). */
function EdgeLink() {
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
