import { ProblemError, explain, mayRecover } from "../../wire/errors";
import { Refusal } from "../Refusal";
import { SignInButton } from "../people/SignInButton";
import { useAccount } from "../people/account";

const STRANGER = "It may have been deleted, or it is not shared with you. If a link led you here, it may have ended: ask whoever sent it.";

/** Why a slide cannot be opened, and whether waiting helps. */
export function OpenFailure({ error }: { readonly error: Error }) {
  const account = useAccount();
  const gone = error instanceof ProblemError && error.status === 404;
  const stranger = gone && account?.mode === "accounts";
  const recovers = mayRecover(error);
  const title = gone ? "There is no such slide" : recovers ? "The service does not answer" : "The slide cannot be opened";
  return (
    <Refusal
      title={title}
      reason={recovers ? "Trying again by itself." : gone ? (stranger ? STRANGER : "It may have been deleted.") : explain(error)}
      mild={recovers}
    >
      {stranger && account.user === null && <SignInButton />}
    </Refusal>
  );
}
