import { Center, Loader } from "@mantine/core";
import type { ReactNode } from "react";
import type { Account, Role } from "@wavescope/core/wire/accounts/accountClient";
import { ErrorPage } from "../ui/ErrorPage";
import { WAITING, roleErrorOf } from "../ui/pageErrors";
import { SignInButton } from "./SignInButton";
import { mayAs, useAccountQuery } from "./account";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly least: Role;
  /** The page, as in "the audit log". */
  readonly name: string;
  /** Shown, and asking the service for anything, only to people who may. */
  readonly children: ReactNode;
  /** Without accounts there is no such page. */
  readonly accountsOnly?: boolean;
}

/** A page for some roles: users with other roles see a message instead. */
export function RoleGate({ least, name, children, accountsOnly = false }: Props) {
  const { account, waiting } = useAccountQuery();
  if (account && mayAs(account, least) && !(accountsOnly && account.mode === "local")) return children;
  return (
    <Center mih="60dvh">
      {account ? (
        <AccessDenied name={name} least={least} account={account} />
      ) : waiting ? (
        <ErrorPage {...WAITING} />
      ) : (
        <Loader aria-label={t("common.loading")} />
      )}
    </Center>
  );
}

function AccessDenied({ name, least, account }: Pick<Props, "name" | "least"> & { readonly account: Account }) {
  if (account.mode === "local") return <NoAccounts />;
  return <ErrorPage {...roleErrorOf(name, least, account)}>{account.user === null && <SignInButton />}</ErrorPage>;
}

/** Shown instead of what exists only with accounts. */
export function NoAccounts() {
  return <ErrorPage title={t("accounts.noAccounts")} reason={t("accounts.everythingIsOpen")} />;
}
