import type { ReactNode, RefObject } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import styles from "./slide.module.css";

interface Props {
  /** Where the microscope draws. */
  readonly container: RefObject<HTMLDivElement | null>;
  readonly title: string;
  readonly children: ReactNode;
}

/** The picture of a slide, and what lies over it. */
export function PictureField({ container, title, children }: Props) {
  return (
    <main className={styles.field}>
      <div role="application" className={styles.application}>
        <div
          ref={container}
          className={styles.viewer}
          tabIndex={0}
          role="application"
          aria-label={t("page.microscopeLabel", { title })}
          data-testid="viewer"
        />
      </div>
      <div className={styles.over}>{children}</div>
    </main>
  );
}
