/** What the service has found out about an uploaded file. */
import { useQuery } from "@tanstack/react-query";
import { readAdvice } from "@wavescope/core/wire/catalog/advice";
import { ProblemError } from "@wavescope/core/wire/http/errors";

const NO_SLIDE = new Set(["unsupported-source", "unreadable-source"]);

/** `ask`: false only reads what another part of the page requests. */
export function useAdvice(jobId: string, enabled = true) {
  return useQuery({
    queryKey: ["advice", jobId],
    queryFn: ({ signal }) => readAdvice(jobId, signal),
    staleTime: Infinity,
    enabled,
  });
}

/** Whether the advice failed because the file cannot become a slide. */
export function isNoSlide(error: Error | null): boolean {
  return error instanceof ProblemError && NO_SLIDE.has(error.problem);
}
