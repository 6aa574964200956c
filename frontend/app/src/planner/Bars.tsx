import { Fragment } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Part } from "./formulas/response";
import { percentLabel } from "./figures";
import { PART_NAMES } from "./names";
import styles from "./planner.module.css";

interface Props {
  readonly parts: readonly Part[];
  /** No part may be busier. */
  readonly most: number;
}

/** How busy each part is, with the limit as a mark. Parts that nobody uses are left out. */
export function Bars({ parts, most }: Props) {
  return (
    <dl className={styles.bars} data-testid="bars">
      {parts
        .filter(({ utilisation }) => utilisation > 0)
        .map(({ name, utilisation }) => (
          <Fragment key={name}>
            <dt>{t(PART_NAMES[name])}</dt>
            <dd aria-hidden="true">
              <div className={styles.track}>
                <div
                  className={styles.fill}
                  data-over={utilisation > most || undefined}
                  style={{ width: `${Math.min(100, utilisation * 100)}%` }}
                />
                <div className={styles.mark} style={{ insetInlineStart: `${most * 100}%` }} />
              </div>
            </dd>
            <dd className={styles.value}>{percentLabel(utilisation)}</dd>
          </Fragment>
        ))}
    </dl>
  );
}
