/** In the build of this page in the place of `wire/generated/laterAnswers`: those of its operations that exports answer. */
import type { Answers } from "@wavescope/core/wire/generated/operations";
import { AnnotationList, OverlayList } from "@wavescope/core/wire/generated/laterValidators.js";

export const LATER_ANSWERS: Answers<"GET /slides/{slide_id}/annotations" | "GET /slides/{slide_id}/overlays"> = {
  "GET /slides/{slide_id}/annotations": [AnnotationList],
  "GET /slides/{slide_id}/overlays": [OverlayList],
};
