/** The user of the page. Without accounts: the local user, who may do everything. */
import { type Query, type QueryClient, useQuery } from "@tanstack/react-query";
import { principalOf } from "@wavescope/core/wire/stored/policy";
import { slideStore } from "@wavescope/core/wire/stored/slideStore";
import { type Account, ROLES, type Role, readAccount } from "@wavescope/core/wire/accounts/accountClient";

const KEY = ["account"];

/** Undefined until the service has answered. */
export function useAccount(): Account | undefined {
  return useAccountQuery().account;
}

/** `waiting`: the service did not answer, and is asked again. */
export function useAccountQuery(): { readonly account: Account | undefined; readonly waiting: boolean } {
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => readKnownAccount(signal), staleTime: 60_000 });
  return { account: query.data, waiting: query.failureReason !== null };
}

/** What is stored in this browser belongs to the user that the service names (PG22). */
async function readKnownAccount(signal: AbortSignal): Promise<Account> {
  const account = await readAccount(signal);
  await slideStore.confirm(principalOf(account));
  signedIn ||= account.user !== null;
  return account;
}

let signedIn = false;

/** Whether this page has had a user since it was loaded, although nobody may be signed in any more. */
export const wasSignedIn = (): boolean => signedIn;

/** Whether there are accounts at all; no as long as nothing is known. What only they need is not offered without them. */
export function useHasAccounts(): boolean {
  return useAccount()?.mode === "accounts";
}

export function mayAs(account: Account, least: Role): boolean {
  if (account.mode === "local") return true;
  return account.user !== null && ROLES.indexOf(account.user.role) >= ROLES.indexOf(least);
}

/** Whether the user has the role; true as long as nothing is known. */
export function useMay(least: Role): boolean {
  const account = useAccount();
  return account === undefined || mayAs(account, least);
}

/** The same, false as long as nothing is known: for what is asked of the service by itself. */
export function useKnownMay(least: Role): boolean {
  const account = useAccount();
  return account !== undefined && mayAs(account, least);
}

/**
 * Another user signed in: nothing that was fetched for the previous user is shown, apart from `kept`, the query whose answer
 * signed the user in. To be awaited before another page is shown: what that page fetches would be reset, too.
 */
export async function accountChanged(client: QueryClient, kept?: string): Promise<void> {
  const others = { predicate: (query: Query) => query.queryKey[0] !== KEY[0] && query.queryKey[0] !== kept };
  await client.cancelQueries(others);
  await client.cancelQueries({ queryKey: KEY });
  await client.invalidateQueries({ queryKey: KEY });
  await client.resetQueries(others);
}
