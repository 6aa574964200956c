import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { renewNow } from "@wavescope/core/wire/accounts/accountClient";
import { whenSignedOut } from "@wavescope/core/wire/http/renewal";
import { useAccount } from "./account";

/** Renews the sign-in before it runs out, so that pictures, too, are never refused; notices when it has ended for good. */
export function SignInRenewal() {
  const client = useQueryClient();
  const account = useAccount();
  const seconds = account?.user ? account.renewAfter : null;
  useEffect(() => whenSignedOut(() => void client.invalidateQueries({ queryKey: ["account"] })), [client]);
  useEffect(() => {
    if (seconds === null) return undefined;
    const timer = setInterval(() => void renewNow(), Math.max(1, seconds) * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return null;
}
