/** In the build of this page in the place of `wire/generated/laterAnswers`: the only one of its operations that exports answer. */
import type { Answers } from "@wavescope/core/wire/generated/operations";
import { AnnotationList } from "@wavescope/core/wire/generated/laterValidators.js";

export const LATER_ANSWERS: Answers<"GET /slides/{slide_id}/annotations"> = {
  "GET /slides/{slide_id}/annotations": [AnnotationList],
};
