/** What a new password has ended, in words. */
import type { Ended } from "../../wire/accounts/accountClient";

export function endedLabel({ signIns, tokens }: Ended): string {
  const parts = [counted(signIns, "sign-in", "sign-ins"), counted(tokens, "token", "tokens")].filter(
    (part) => part !== "",
  );
  return parts.length === 0 ? "No other sign-in or token ended." : `Ended: ${parts.join(" and ")}.`;
}

function counted(number: number, one: string, more: string): string {
  return number === 0 ? "" : `${number} ${number === 1 ? one : more}`;
}
