import { IconLock, IconMessage } from "@tabler/icons-react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { t } from "@wavescope/core/i18n/i18n";
import { countsOf } from "./comments";
import styles from "./together.module.css";
import { useComments } from "./useComments";

/** In a row of the list: whether the annotation is locked, how many comments it has, and whether some are unread. */
export function RowMarks({ annotations, id }: { readonly annotations: Annotations; readonly id: string }) {
  const [, state] = useComments(annotations);
  const locked = annotations.store.lockedBy(id);
  const { all, unread } = countsOf(state).get(id) ?? { all: 0, unread: 0 };
  const comments =
    unread > 0 ? t("together.commentsUnread", { count: all, unread }) : t("together.comments", { count: all });
  return (
    <>
      {locked && <IconLock size={14} role="img" aria-label={t("together.lockedBy", { name: locked })} />}
      {all > 0 && (
        <span className={styles.mark} data-unread={unread > 0} role="img" aria-label={comments} title={comments}>
          <IconMessage size={14} aria-hidden="true" />
          {all}
        </span>
      )}
    </>
  );
}
