import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { mayNote, memberOf } from "@wavescope/core/session/state";
import { Heading } from "./Heading";
import { type Participant, operate } from "../state/live";
import { dateLabel } from "../../ui/dates";
import styles from "../session.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const NOTE_FIELD = "session-note";

/** Notes for all members, stored with the recording. `readOnly`: of a recording. */
export function Notes({ session, you, readOnly = false }: Participant & { readonly readOnly?: boolean }) {
  const [text, setText] = useState("");
  const add = (event: React.SubmitEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    operate({ type: "note", text: text.trim() });
    setText("");
  };
  return (
    <Stack gap="xs">
      <Heading>{t("session.notes")}</Heading>
      {session.notes.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("session.noNotesYet")}
        </Text>
      )}
      <ul className={styles.list} aria-label={t("session.notes")} data-testid="session-notes">
        {session.notes.map((note, i) => (
          <li key={i} className={styles.note} style={{ borderInlineStartColor: memberOf(session, note.by)?.color }}>
            <Text size="xs" c="dimmed">
              {memberOf(session, note.by)?.name ?? t("session.someone")}, {dateLabel(note.time, "clock")}
            </Text>
            {note.text}
          </li>
        ))}
      </ul>
      {!readOnly && mayNote(session, you) && (
        <form onSubmit={add}>
          <Textarea
            id={NOTE_FIELD}
            aria-label={t("session.noteLabel")}
            placeholder={t("session.noteLabel")}
            autosize
            minRows={2}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt={6}>
            <Button type="submit" size="compact-sm" disabled={text.trim() === ""}>
              {t("session.addNote")}
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}
