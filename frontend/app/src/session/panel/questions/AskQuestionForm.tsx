import { Button, Checkbox, Group, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { readView } from "@wavescope/viewer/view/view";
import { operate } from "../../state/live";
import { t } from "@wavescope/core/i18n/i18n";

const MAX_LENGTH = 300;

interface Props {
  readonly microscope: Microscope;
  /** The slide that is shown here, which the place is on. */
  readonly slide: string;
  readonly onClose: () => void;
}

/** A question of one line, with the view of now and the own name where the asker wants so. */
export function AskQuestionForm({ microscope, slide, onClose }: Props) {
  const [text, setText] = useState("");
  const [placed, setPlaced] = useState(false);
  const [named, setNamed] = useState(false);
  const line = text.trim().replace(/\s+/g, " ");
  const ask = (event: React.SyntheticEvent): void => {
    event.preventDefault();
    if (line === "") return;
    const place = placed ? { slide, view: { ...readView(microscope), adjustments: null } } : null;
    operate({ type: "ask-question", text: line, place, named });
    onClose();
  };
  return (
    <form onSubmit={ask} aria-label={t("session.questionAsk")}>
      <Stack gap="xs">
        <Textarea
          label={t("session.question")}
          autosize
          minRows={2}
          maxLength={MAX_LENGTH}
          value={text}
          ref={focus}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === "Enter" && ask(event)}
        />
        <Checkbox
          label={t("session.questionWithView")}
          checked={placed}
          onChange={(event) => setPlaced(event.currentTarget.checked)}
        />
        <Checkbox
          label={t("session.questionNamed")}
          checked={named}
          onChange={(event) => setNamed(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="compact-sm" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="compact-sm" disabled={line === ""}>
            {t("session.questionSend")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Once the form is there, one writes. */
const focus = (field: HTMLTextAreaElement | null): void => field?.focus();
