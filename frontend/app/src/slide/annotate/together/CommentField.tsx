import { Button, Group, Text, Textarea } from "@mantine/core";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { explain } from "@wavescope/core/wire/http/explain";
import { type SlideComments, draftOf, mentionAt, withMention } from "./comments";
import styles from "./together.module.css";

const MAX_TEXT = 4000;
const OFFERED = 6; // names at one time

interface Props {
  readonly comments: SlideComments;
  readonly label: string;
  /** Where what is typed is kept until it is sent. */
  readonly place: string;
  /** The text that is changed; none: a new one. */
  readonly initial?: string;
  readonly submit: string;
  readonly onSend: (id: string, text: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** Where a comment is written. After an @ the names of people who see the slide are offered. What fails to be sent stays. */
export function CommentField({ comments, label, place, initial, submit, onSend, onCancel }: Props) {
  const [draft, setDraft] = useState(
    () => comments.drafts.get(place) ?? { ...draftOf(comments, place), text: initial ?? "" },
  );
  const [caret, setCaret] = useState(0);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState("");
  const area = useRef<HTMLTextAreaElement>(null);
  const names = useNames(comments, busy ? null : mentionAt(draft.text, caret));
  const write = (text: string): void => {
    const next = { ...draft, text };
    setDraft(next);
    comments.drafts.set(place, next);
  };
  const mention = (name: string): void => {
    const next = withMention(draft.text, caret, name);
    write(next.text);
    setCaret(next.caret);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(next.caret, next.caret);
    });
  };
  const send = async (): Promise<void> => {
    if (busy || draft.text.trim() === "") return;
    setBusy(true);
    setFailure("");
    try {
      await onSend(draft.id, draft.text);
      comments.drafts.delete(place);
      setDraft(draftOf(comments, place));
    } catch (error) {
      setFailure(explain(error));
    } finally {
      setBusy(false);
    }
  };
  const keys = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void send();
    } else if (event.key === "Escape" && onCancel) {
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <div>
      <Textarea
        ref={area}
        size="xs"
        aria-label={label}
        placeholder={t("together.commentHint")}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={MAX_TEXT}
        value={draft.text}
        onChange={(event) => {
          write(event.currentTarget.value);
          setCaret(event.currentTarget.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={keys}
      />
      {names.length > 0 && (
        <div className={styles.names} role="group" aria-label={t("together.mention")} data-testid="mention-names">
          {names.slice(0, OFFERED).map((name) => (
            <Button key={name} size="compact-xs" variant="light" mt={4} onClick={() => mention(name)}>
              @{name}
            </Button>
          ))}
        </div>
      )}
      {failure && (
        <Text size="xs" c="red" role="alert" mt={4}>
          {failure}
        </Text>
      )}
      {(draft.text !== "" || onCancel) && (
        <Group gap={6} mt={6}>
          <Button size="compact-xs" loading={busy} disabled={draft.text.trim() === ""} onClick={() => void send()}>
            {submit}
          </Button>
          {onCancel && (
            <Button size="compact-xs" variant="default" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}

/** The names that begin with what is typed after an @; null: nothing is. */
function useNames(comments: SlideComments, typed: string | null): readonly string[] {
  const [found, setFound] = useState<{ readonly typed: string; readonly names: readonly string[] } | null>(null);
  useEffect(() => {
    if (typed === null) return undefined;
    let current = true;
    comments.client.people(typed).then(
      (names) => current && setFound({ typed, names }),
      () => current && setFound(null), // guests mention nobody
    );
    return () => void (current = false);
  }, [comments, typed]);
  const isWritten = typed !== null && (found?.names.some((name) => typed.startsWith(`${name} `)) ?? false);
  return typed === null || found?.typed !== typed || isWritten ? [] : found.names;
}
