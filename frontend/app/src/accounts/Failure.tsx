import type { ReactNode } from "react";
import { ErrorPage } from "../ui/ErrorPage";
import { type Thing, pageErrorOf } from "../ui/pageErrors";
import { SignInButton } from "./SignInButton";
import { useAccount } from "./account";

interface Props {
  readonly error: unknown;
  readonly thing: Thing;
  readonly children?: ReactNode;
  readonly onBack?: () => void;
}

/** Why something cannot be shown to the person at the page; where an account may help, the way to sign in. */
export function Failure({ error, thing, children, onBack }: Props) {
  const rejected = pageErrorOf(error, thing, useAccount());
  return (
    <ErrorPage {...rejected} onBack={onBack}>
      {rejected.kind === "sign-in" && <SignInButton />}
      {children}
    </ErrorPage>
  );
}
