/** Staying signed in (access.md, AC32): one renewal at a time, for all requests that find the sign-in expired. */
import type { Fetch } from "./http";

const SIGN_IN = "/api/v1/sign-in/renew";
const SIGN_OUT = "/api/v1/sign-out";

let underWay: Promise<boolean> | null = null;
let renewals = 0;
const listeners = new Set<() => void>();

/** Whether the browser is signed in again. If it cannot be, the rest of the sign-in is deleted and requests are anonymous. */
export function renewSignIn(fetcher: Fetch): Promise<boolean> {
  underWay ??= renew(fetcher).finally(() => (underWay = null));
  return underWay;
}

async function renew(fetcher: Fetch): Promise<boolean> {
  const response = await fetcher(SIGN_IN, { method: "POST" }).catch(() => null);
  if (response?.ok) {
    renewals += 1;
    return true;
  }
  if (response?.status === 401) {
    await fetcher(SIGN_OUT, { method: "POST" }).catch(() => null);
    for (const listener of listeners) listener();
  }
  return false;
}

/** How often the sign-in was renewed. A request that was sent before the last renewal needs no further one. */
export const renewalCount = (): number => renewals;

/** Calls after the sign-in has ended for good. */
export function whenSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
