import { Alert, Loader, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { explain } from "../../wire/http/explain";
import { listUsers } from "../../wire/accounts/usersClient";
import { PageHeader } from "./PageHeader";
import styles from "../ui/page.module.css";
import { EdgeLink } from "./EdgeLink";
import { GroupTable } from "./people/GroupTable";
import { RoleGate } from "./RoleGate";
import { StorageUse } from "./StorageUse";
import { UserTable } from "./people/UserTable";
import { t } from "../../i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

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
        </Stack>
      )}
    </>
  );
}
