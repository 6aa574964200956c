import { createPortal } from "react-dom";
import { type PollAnswer, type PollResults, type SessionState, memberOf } from "@wavescope/core/session/state";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { onScreen } from "@wavescope/viewer/navigation/pointing";
import { useDrawn } from "../../../microscope/useDrawn";
import styles from "../../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

interface Props {
  readonly microscope: Microscope;
  readonly session: SessionState;
  readonly results: PollResults | null;
  /** Where this member has answered. */
  readonly own: PollAnswer["point"];
}

/** The answers as dots over the picture, with names and colours only where the poll shows them; the own one has a ring. */
export function PollDots({ microscope, session, results, own }: Props) {
  useDrawn(microscope);
  const dots = (results?.answers ?? []).flatMap(({ by, answer: { point } }) =>
    point ? [{ point, member: memberOf(session, by) }] : [],
  );
  if (dots.length === 0 && !own) return null;
  const spot = own && onScreen(microscope, own.l0_x, own.l0_y);
  return createPortal(
    <svg className={styles.dots} role="img" aria-label={t("session.pollDots")} data-testid="poll-dots">
      {dots.map(({ point, member }, i) => {
        const { css_x, css_y } = onScreen(microscope, point.l0_x, point.l0_y);
        return (
          <circle key={i} data-dot cx={css_x} cy={css_y} r={6} style={{ fill: member?.color }}>
            {member && <title>{member.name}</title>}
          </circle>
        );
      })}
      {spot && <circle data-own cx={spot.css_x} cy={spot.css_y} r={11} />}
    </svg>,
    microscope.viewer.element,
  );
}
