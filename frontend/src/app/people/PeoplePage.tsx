import { Alert, Loader, Stack, Text } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { explain } from "../../wire/errors";
import { listUsers } from "../../wire/peopleClient";
import { PageHeader } from "../PageHeader";
import styles from "../gallery/gallery.module.css";
import { GroupTable } from "./GroupTable";
import { UserTable } from "./UserTable";
import { mayAs, useAccount } from "./account";

/** Users and groups, for admins. */
export function PeoplePage() {
  useDocumentTitle("Users and groups – Wavescope");
  const account = useAccount();
  const may = account?.mode === "accounts" && mayAs(account, "admin");
  const users = useQuery({ queryKey: ["users"], queryFn: ({ signal }) => listUsers(signal), enabled: may });
  return (
    <div className={styles.page} data-testid="people-page">
      <PageHeader title="Users and groups" />
      <main className={styles.main}>
        {account !== undefined && !may && <Text>Only admins of a service with accounts see this page.</Text>}
        {(account === undefined || (may && users.isPending)) && <Loader aria-label="Loading the users" />}
        {users.error && <Alert color="red">{explain(users.error)}</Alert>}
        {users.data && (
          <Stack gap="xl" maw={960}>
            <UserTable users={users.data} />
            <GroupTable users={users.data} />
          </Stack>
        )}
      </main>
    </div>
  );
}
