import { Anchor, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Comment } from "@wavescope/core/wire/annotations/comments";
import { explain } from "@wavescope/core/wire/http/explain";
import { allows } from "@wavescope/core/wire/slides/manifest";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { useAnnotationState } from "../../../microscope/useAnnotations";
import { dateLabel } from "../../../ui/dates";
import { CommentField } from "./CommentField";
import { type SlideComments, threadsOf } from "./comments";
import styles from "./together.module.css";
import { useComments } from "./useComments";

interface Props {
  readonly annotations: Annotations;
  readonly id: string;
}

/** The comments on an annotation, with replies; who sees them has read them (AN46 to AN49). */
export function Comments({ annotations, id }: Props) {
  const { store } = annotations;
  const [comments, state] = useComments(annotations);
  const editable = useAnnotationState(annotations, (one) => one.editable);
  useAnnotationState(annotations, (one) => one.responses);
  const threads = threadsOf(state, id);
  useEffect(() => comments.markRead(id), [comments, id, state]);
  const isStored = store.signed(id) !== null && !store.isLocal(id);
  if (!isStored || (threads.length === 0 && !editable)) return null;
  return (
    <Stack gap={8} component="section" aria-label={t("together.commentsTitle")} data-testid="comments">
      <Text size="xs" fw={600}>
        {t("together.commentsTitle")}
      </Text>
      {threads.length > 0 && (
        <ul className={styles.threads}>
          {threads.map(({ comment, replies }) => (
            <ThreadItem
              key={comment.id}
              annotations={annotations}
              comments={comments}
              comment={comment}
              replies={replies}
            />
          ))}
        </ul>
      )}
      {editable && (
        <CommentField
          key={id}
          comments={comments}
          label={t("together.newComment")}
          place={id}
          submit={t("together.comment")}
          onSend={(commentId, text) => comments.save(id, null, commentId, text)}
        />
      )}
    </Stack>
  );
}

interface ThreadProps {
  readonly annotations: Annotations;
  readonly comments: SlideComments;
  readonly comment: Comment;
  readonly replies: readonly Comment[];
}

function ThreadItem({ annotations, comments, comment, replies }: ThreadProps) {
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const place = `reply ${comment.id}`;
  const [replying, setReplying] = useState(() => comments.drafts.has(place));
  const close = (): void => {
    comments.drafts.delete(place);
    setReplying(false);
  };
  const send = async (id: string, text: string): Promise<void> => {
    await comments.save(comment.annotation, comment.id, id, text);
    close();
  };
  return (
    <li>
      <CommentItem annotations={annotations} comments={comments} comment={comment}>
        {editable && !replying && (
          <Action label={t("together.replyTo", { name: comment.author })} onClick={() => setReplying(true)}>
            {t("together.reply")}
          </Action>
        )}
      </CommentItem>
      {(replies.length > 0 || replying) && (
        <ul>
          {replies.map((reply) => (
            <li key={reply.id}>
              <CommentItem annotations={annotations} comments={comments} comment={reply} />
            </li>
          ))}
          {replying && (
            <li>
              <CommentField
                comments={comments}
                label={t("together.replyTo", { name: comment.author })}
                place={place}
                submit={t("together.reply")}
                onSend={send}
                onCancel={close}
              />
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

interface ItemProps {
  readonly annotations: Annotations;
  readonly comments: SlideComments;
  readonly comment: Comment;
  readonly children?: ReactNode;
}

function CommentItem({ annotations, comments, comment, children }: ItemProps) {
  const { store, layer } = annotations;
  const [editing, setEditing] = useState(false);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const mayDelete = comment.own || allows(layer.microscope.manifest, "share slide");
  const remove = (): void => {
    comments.remove(comment).catch((error: unknown) => store.set({ notice: explain(error) }));
  };
  if (comment.deleted)
    return (
      <Text size="xs" c="dimmed">
        {t("together.deleted")}
      </Text>
    );
  return (
    <article data-testid="comment">
      <div className={styles.head}>
        <Text size="xs" fw={600} span>
          {comment.author}
        </Text>
        <Text size="xs" c="dimmed" span>
          {dateLabel(comment.created)}
          {comment.edited !== null && ` · ${t("together.edited")}`}
        </Text>
      </div>
      {editing ? (
        <CommentField
          comments={comments}
          label={t("together.editComment")}
          place={`edit ${comment.id}`}
          initial={comment.text}
          submit={t("common.save")}
          onSend={async (_, text) => {
            await comments.save(comment.annotation, comment.reply_to, comment.id, text);
            setEditing(false);
          }}
          onCancel={() => {
            comments.drafts.delete(`edit ${comment.id}`);
            setEditing(false);
          }}
        />
      ) : (
        <Text size="sm" className={styles.text}>
          {marked(comment)}
        </Text>
      )}
      {editable && !editing && (
        <div className={styles.head}>
          {children}
          {comment.own && (
            <Action label={t("together.editComment")} onClick={() => setEditing(true)}>
              {t("together.edit")}
            </Action>
          )}
          {mayDelete && (
            <Action label={t("together.deleteComment")} onClick={remove}>
              {t("common.delete")}
            </Action>
          )}
        </div>
      )}
    </article>
  );
}

interface ActionProps {
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Action({ label, onClick, children }: ActionProps) {
  return (
    <Anchor component="button" type="button" size="xs" aria-label={label} onClick={onClick}>
      {children}
    </Anchor>
  );
}

/** The text with the names of people that it mentions marked. */
function marked({ text, mentions }: Comment): ReactNode[] {
  if (mentions.length === 0) return [text];
  const names = [...mentions].sort((a, b) => b.length - a.length).map((name) => `@${escaped(name)}`);
  return text
    .split(new RegExp(`(${names.join("|")})`, "giu"))
    .map((piece, i) => (i % 2 === 1 ? <mark key={i}>{piece}</mark> : piece));
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
