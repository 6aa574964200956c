/** How far the user has come through a case: which of its slides were seen and reviewed, in this browser or, with consent, with the account (CV7, CV8). */
import { useQuery } from "@tanstack/react-query";
import { storedSlides } from "@wavescope/core/wire/accounts/coverageClient";
import { slidesReviewed, slidesSeen } from "@wavescope/core/wire/stored/seenStore";
import { useAccount } from "../accounts/account";

export interface CaseProgress {
  readonly seen: ReadonlySet<string>;
  readonly reviewed: ReadonlySet<string>;
}

/** What is known by now; the account's part comes later, or not at all. */
export function useProgress(): CaseProgress {
  const signedIn = Boolean(useAccount()?.user);
  const { data } = useQuery({ queryKey: ["seenSlides"], queryFn: storedSlides, enabled: signedIn });
  return {
    seen: new Set([...slidesSeen(), ...(data?.slides ?? [])]),
    reviewed: new Set([...Object.keys(slidesReviewed()), ...(data?.reviewed ?? [])]),
  };
}

/** The slide to go on with: the first that was not seen; the first of all if none or all were. */
export function nextSlide<Slide extends { readonly id: string }>(
  slides: readonly Slide[],
  seen: ReadonlySet<string>,
): Slide | undefined {
  return slides.find(({ id }) => !seen.has(id)) ?? slides[0];
}
