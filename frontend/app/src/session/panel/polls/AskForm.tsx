import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import type { Poll, SessionState } from "@wavescope/core/session/state";
import { operate } from "../../state/live";
import { t } from "@wavescope/core/i18n/i18n";

const MAX_OPTIONS = 10;
const KINDS: readonly { readonly value: Poll["kind"]; readonly label: string }[] = [
  { value: "single", label: t("session.pollSingle") },
  { value: "multiple", label: t("session.pollMultiple") },
  { value: "point", label: t("session.pollPoint") },
];

interface Props {
  /** The slide that is shown here, which a point is on. */
  readonly slide: string;
  readonly session: SessionState;
  readonly onClose: () => void;
}

/** Writes a poll and asks it at once. */
export function AskForm({ slide, session, onClose }: Props) {
  const [kind, setKind] = useState<Poll["kind"]>("single");
  const [question, setQuestion] = useState("");
  const [options, setOptions] = useState<readonly string[]>(["", ""]);
  const [named, setNamed] = useState(false);
  const given = options.map((one) => one.trim()).filter((one) => one !== "");
  const point = kind === "point";
  const complete =
    question.trim() !== "" &&
    (point ? session.slides.some(({ id }) => id === slide) : given.length >= 2 && new Set(given).size === given.length);
  const ask = (event: React.SubmitEvent): void => {
    event.preventDefault();
    if (!complete) return;
    const text = question.trim();
    operate({
      type: "ask-poll",
      kind,
      question: text,
      options: point ? [] : given,
      slide: point ? slide : null,
      named,
    });
    onClose();
  };
  return (
    <form onSubmit={ask} aria-label={t("session.pollNew")}>
      <Stack gap="xs">
        <TextInput
          label={t("session.pollQuestion")}
          maxLength={300}
          value={question}
          data-autofocus
          onChange={(event) => setQuestion(event.currentTarget.value)}
        />
        <SegmentedControl
          size="xs"
          orientation="vertical"
          aria-label={t("session.pollKind")}
          data={[...KINDS]}
          value={kind}
          onChange={(value) => setKind(value)}
        />
        {point ? (
          <Text size="sm" c="dimmed">
            {t("session.pollPointHint")}
          </Text>
        ) : (
          <Options options={options} onChange={setOptions} />
        )}
        <Checkbox
          label={t("session.pollNamed")}
          checked={named}
          onChange={(event) => setNamed(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="compact-sm" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" size="compact-sm" disabled={!complete}>
            {t("session.pollAsk")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface OptionsProps {
  readonly options: readonly string[];
  readonly onChange: (options: readonly string[]) => void;
}

function Options({ options, onChange }: OptionsProps) {
  return (
    <Stack gap={6}>
      {options.map((option, i) => (
        <Group key={i} gap={4} wrap="nowrap">
          <TextInput
            size="xs"
            aria-label={t("session.pollOption", { number: i + 1 })}
            placeholder={t("session.pollOption", { number: i + 1 })}
            maxLength={120}
            value={option}
            style={{ flex: 1 }}
            onChange={(event) => onChange(options.with(i, event.currentTarget.value))}
          />
          {options.length > 2 && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("session.pollRemoveOption", { number: i + 1 })}
              onClick={() => onChange(options.toSpliced(i, 1))}
            >
              <IconX size={16} />
            </ActionIcon>
          )}
        </Group>
      ))}
      {options.length < MAX_OPTIONS && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...options, ""])}
          style={{ alignSelf: "flex-start" }}
        >
          {t("session.pollAddOption")}
        </Button>
      )}
    </Stack>
  );
}
