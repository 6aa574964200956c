/** The state of the own second factor. */
import { useQuery } from "@tanstack/react-query";
import { type SecondFactor, readSecondFactor } from "@wavescope/core/wire/accounts/secondFactorClient";

export const KEY = ["second-factor"];

/** Undefined until the service has answered. */
export function useSecondFactor(): SecondFactor | undefined {
  return useQuery({ queryKey: KEY, queryFn: ({ signal }) => readSecondFactor(signal) }).data;
}
