import { ActionIcon, Group, Paper, Text, TextInput, Textarea, Tooltip } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCameraRotate, IconEye, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Question } from "@wavescope/core/wire/catalog/quizzesClient";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { readView, showView } from "@wavescope/viewer/view/view";
import { viewOf } from "../tours/view";
import { KeyForm } from "./KeyForm";
import { KIND_NAMES } from "./questions";
import { NumberInput } from "../ui/NumberInput";

interface Props {
  readonly microscope: Microscope;
  readonly question: Question;
  readonly index: number;
  readonly last: number;
  /** Whether it is about the slide that is open. */
  readonly here: boolean;
  readonly onChange: (question: Question) => void;
  readonly onMove: (by: number) => void;
  readonly onRemove: () => void;
}

/** One question as it is written: text, view, key, hint and feedback. */
export function QuestionForm({ microscope, question, index, last, here, onChange, onMove, onRemove }: Props) {
  const name = t("quizzes.question", { place: index + 1 });
  const view = here ? viewOf(question.view) : null;
  return (
    <Paper withBorder p="xs" component="section" aria-label={name} data-testid="question-form">
      <Group gap={4} wrap="nowrap" mb={6}>
        <Text size="xs" c="dimmed" flex={1}>
          {name} · {KIND_NAMES[question.kind]}
        </Text>
        <Tool label={t("quizzes.show", { name })} disabled={!view} onClick={() => view && showView(microscope, view)}>
          <IconEye size={14} />
        </Tool>
        <Tool
          label={t("quizzes.useView", { name })}
          disabled={!here}
          onClick={() => onChange({ ...question, view: { ...readView(microscope) } })}
        >
          <IconCameraRotate size={14} />
        </Tool>
        <Tool label={t("quizzes.moveUp", { name })} disabled={index === 0} onClick={() => onMove(-1)}>
          <IconArrowUp size={14} />
        </Tool>
        <Tool label={t("quizzes.moveDown", { name })} disabled={index === last} onClick={() => onMove(1)}>
          <IconArrowDown size={14} />
        </Tool>
        <Tool label={t("quizzes.remove", { name })} onClick={onRemove}>
          <IconX size={14} />
        </Tool>
      </Group>
      <Textarea
        aria-label={t("quizzes.textOf", { name })}
        placeholder={t("quizzes.textPlaceholder")}
        autosize
        maxRows={10}
        maxLength={20_000}
        value={question.text}
        onChange={({ currentTarget: { value } }) => onChange({ ...question, text: value })}
      />
      {here ? (
        <KeyForm microscope={microscope} question={question} name={name} onChange={onChange} />
      ) : (
        <Text size="sm" c="dimmed">
          {t("quizzes.otherSlide")}
        </Text>
      )}
      <Group gap="xs" grow mt={6} align="start">
        <TextInput
          size="xs"
          label={t("quizzes.hint")}
          maxLength={20_000}
          value={question.hint ?? ""}
          onChange={({ currentTarget: { value } }) => onChange({ ...question, hint: value })}
        />
        <NumberInput
          size="xs"
          label={t("quizzes.pointsLabel")}
          min={0.1}
          max={1000}
          value={question.points ?? 1}
          onChange={(value) => typeof value === "number" && value > 0 && onChange({ ...question, points: value })}
        />
      </Group>
      <Textarea
        size="xs"
        label={t("quizzes.feedback")}
        autosize
        maxRows={8}
        maxLength={20_000}
        value={question.feedback ?? ""}
        onChange={({ currentTarget: { value } }) => onChange({ ...question, feedback: value })}
      />
    </Paper>
  );
}

interface ToolProps {
  readonly label: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function Tool({ label, disabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} disabled={disabled} onClick={onClick}>
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
