import { Skeleton } from "@mantine/core";
import { Suspense, lazy } from "react";

/** Markdown that users wrote. The library comes when it is needed, and lets nothing of the text run. */
const Markdown = lazy(() => import("./Markdown"));

export function MarkdownText({ text }: { readonly text: string }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<Skeleton height={12} />}>
      <Markdown text={text} />
    </Suspense>
  );
}
