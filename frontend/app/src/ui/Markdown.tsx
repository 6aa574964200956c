import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import ReactMarkdown from "react-markdown";
import rehypeSanitize from "rehype-sanitize";
import styles from "./markdown.module.css";

const COMPONENTS = {
  a: ({ href, children }: { href?: string; children?: ReactNode }) => (
    <Anchor href={href} target="_blank" rel="noreferrer noopener" underline="always">
      {children}
    </Anchor>
  ),
};

/** No raw HTML, and only elements and safe addresses. */
export default function Markdown({ text }: { readonly text: string }) {
  return (
    <div className={styles.text}>
      <ReactMarkdown rehypePlugins={[rehypeSanitize]} components={COMPONENTS}>
        {text}
      </ReactMarkdown>
    </div>
  );
}
