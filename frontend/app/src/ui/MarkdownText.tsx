import { Suspense, lazy } from "react";
import styles from "./markdown.module.css";

/** Markdown that users wrote. The library comes when it is needed, and lets nothing of the text run. */
const Markdown = lazy(() => import("./Markdown"));

export function MarkdownText({ text }: { readonly text: string }) {
  if (text.trim() === "") return null;
  return (
    <Suspense fallback={<Space text={text} />}>
      <Markdown text={text} />
    </Suspense>
  );
}

/** The space that the paragraphs will take, so that nothing below them moves when they come. */
function Space({ text }: { readonly text: string }) {
  return (
    <div className={styles.text} style={{ visibility: "hidden" }} aria-hidden>
      {text.split(/\n\s*\n/).map((paragraph, index) => (
        <p key={index}>{paragraph}</p>
      ))}
    </div>
  );
}
