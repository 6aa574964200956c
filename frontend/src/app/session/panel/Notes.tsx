import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { mayNote, memberOf } from "../../../session/state";
import { Heading } from "./Heading";
import { type Seat, operate } from "../state/live";
import { dateLabel } from "../../ui/dates";
import styles from "../session.module.css";

const NOTE_FIELD = "session-note";

/** Words for all, kept with the recording. */
export function Notes({ session, you }: Seat) {
  const [text, setText] = useState("");
  const add = (event: React.FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    operate({ type: "note", text: text.trim() });
    setText("");
  };
  return (
    <Stack gap="xs">
      <Heading>Notes</Heading>
      {session.notes.length === 0 && (
        <Text size="sm" c="dimmed">
          No notes yet.
        </Text>
      )}
      <ul className={styles.list} aria-label="Notes" data-testid="session-notes">
        {session.notes.map((note, i) => (
          <li key={i} className={styles.note} style={{ borderLeftColor: memberOf(session, note.by)?.color }}>
            <Text size="xs" c="dimmed">
              {memberOf(session, note.by)?.name ?? "Somebody"}, {dateLabel(note.time, "clock")}
            </Text>
            {note.text}
          </li>
        ))}
      </ul>
      {mayNote(session, you) && (
        <form onSubmit={add}>
          <Textarea
            id={NOTE_FIELD}
            aria-label="A note on what is seen"
            placeholder="A note on what is seen"
            autosize
            minRows={2}
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Group justify="flex-end" mt={6}>
            <Button type="submit" size="compact-md" disabled={text.trim() === ""}>
              Add the note
            </Button>
          </Group>
        </form>
      )}
    </Stack>
  );
}
