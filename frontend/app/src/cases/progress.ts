/** How far the user has come through a case: which of its slides were seen, in this browser or, with consent, with the account (CV7, CV8). */
import { useQuery } from "@tanstack/react-query";
import { slidesStored } from "@wavescope/core/wire/accounts/coverageClient";
import { slidesSeen } from "@wavescope/core/wire/stored/seenStore";
import { useAccount } from "../accounts/account";

/** What is known by now; the account's part comes later, or not at all. */
export function useSeenSlides(): ReadonlySet<string> {
  const signedIn = Boolean(useAccount()?.user);
  const stored = useQuery({ queryKey: ["seenSlides"], queryFn: slidesStored, enabled: signedIn });
  return new Set([...slidesSeen(), ...(stored.data ?? [])]);
}

/** The slide to go on with: the first that was not seen; the first of all if none or all were. */
export function nextSlide<Slide extends { readonly id: string }>(
  slides: readonly Slide[],
  seen: ReadonlySet<string>,
): Slide | undefined {
  return slides.find(({ id }) => !seen.has(id)) ?? slides[0];
}
