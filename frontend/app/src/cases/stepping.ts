/** Going through the slides of a case: which case is open is in the address (`?case=`). */
import type { Case } from "@wavescope/core/wire/catalog/casesClient";
import { navigate, slidePath, useQueryParameter } from "../state/router";
import { queryClient } from "../state/queries";
import { neighbour } from "../ui/order";
import { useCase } from "./queries";

/** The case that is being stepped through, null if there is none; `awaited`: it is on its way. */
export function useOpenCase(): { readonly awaited: boolean; readonly open: Case | null } {
  const query = useCase(useQueryParameter("case"));
  return { awaited: query.isLoading, open: query.data ?? null };
}

/** Shows another slide of the case. */
export function stepTo(slide: { readonly id: string } | null, caseId: string): void {
  if (slide) navigate(slidePath(slide.id), { case: caseId });
}

/** The slide `step` positions after this one in the open case, null if there is none. */
export function slideAway(
  slideId: string,
  step: number,
): { readonly slide: { readonly id: string }; readonly caseId: string } | null {
  const caseId = new URLSearchParams(location.search).get("case");
  const open = caseId === null ? undefined : queryClient.getQueryData<Case>(["case", caseId]);
  const slide = open ? neighbour(open.slides, slideId, step) : null;
  return slide && caseId !== null ? { slide, caseId } : null;
}
