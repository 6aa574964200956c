import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { type CommentState, type SlideComments, commentsOf } from "./comments";

/** The comments of a slide, and what is known of them. */
export function useComments(annotations: Annotations): readonly [SlideComments, CommentState] {
  const comments = commentsOf(annotations);
  return [comments, useStore(comments.state)];
}
