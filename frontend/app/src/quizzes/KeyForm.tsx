import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Stack, Text, TextInput, Textarea } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import type { Option, Question } from "@wavescope/core/wire/catalog/quizzesClient";
import type { Microscope } from "@wavescope/viewer/core/microscope";
import { CentreButton } from "./CentreButton";
import { OrderList } from "./OrderList";
import { type OnSlide, isOutlined, newId, shapesOf, withArea, withKeySpot, withOutline } from "./questions";
import { Shapes, usePicking } from "./Shapes";
import { NumberInput } from "../ui/NumberInput";

interface Props<Q extends Question = Question> {
  readonly microscope: Microscope;
  readonly question: Q;
  readonly name: string;
  readonly onChange: (question: Question) => void;
}

type WithOptions = Extract<Question, { kind: "choice" | "order" }>;
type OfNumber = Extract<Question, { kind: "number" }>;

/** What is right. */
export function KeyForm({ question, ...props }: Props) {
  if (question.kind === "number") return <NumberKey {...props} question={question} />;
  if (question.kind === "text")
    return (
      <Textarea
        size="xs"
        mt={6}
        label={t("quizzes.modelAnswer")}
        autosize
        maxRows={8}
        maxLength={20_000}
        value={question.key ?? ""}
        onChange={({ currentTarget: { value } }) => props.onChange({ ...question, key: value })}
      />
    );
  if (question.kind === "point" || question.kind === "region") return <SlideKey {...props} question={question} />;
  return <OptionKey {...props} question={question} />;
}

function NumberKey({ question, onChange }: Props<OfNumber>) {
  const { key } = question;
  const set = (part: Partial<OfNumber["key"]>): void => onChange({ ...question, key: { ...key, ...part } });
  return (
    <Group gap="xs" grow mt={6} align="end">
      <NumberInput
        size="xs"
        label={t("quizzes.rightValue")}
        value={key.value}
        onChange={(value) => typeof value === "number" && set({ value })}
      />
      <NumberInput
        size="xs"
        label={t("quizzes.tolerance")}
        min={0}
        value={key.tolerance ?? 0}
        onChange={(tolerance) => typeof tolerance === "number" && set({ tolerance })}
      />
      <TextInput
        size="xs"
        label={t("quizzes.unit")}
        maxLength={32}
        value={question.unit ?? ""}
        onChange={({ currentTarget: { value } }) => onChange({ ...question, unit: value })}
      />
    </Group>
  );
}

/** The key of a point or region: by clicks on the slide while that is chosen, or at the centre of the view. */
function SlideKey({ microscope, question, name, onChange }: Props<OnSlide>) {
  const [placing, setPlacing] = useState(false);
  const outlined = isOutlined(question);
  const spot = (l0_x: number, l0_y: number): void => {
    onChange(withKeySpot(question, l0_x, l0_y));
    if (!outlined) setPlacing(false);
  };
  usePicking(microscope, placing, spot);
  const start = (): void => {
    setPlacing(!placing);
    if (!placing && outlined) onChange(withOutline(question, []));
  };
  return (
    <Stack gap={6} mt={6}>
      <Shapes microscope={microscope} shapes={shapesOf(question.kind, null, question.key)} />
      {question.kind === "point" && (
        <SegmentedControl
          size="xs"
          aria-label={t("quizzes.rightWithin")}
          data={[
            { value: "circle", label: t("quizzes.circle") },
            { value: "area", label: t("quizzes.area") },
          ]}
          value={outlined ? "area" : "circle"}
          onChange={(value) => onChange(withArea(question, value === "area"))}
        />
      )}
      <Group gap="xs">
        <Button size="compact-xs" variant={placing ? "filled" : "default"} aria-pressed={placing} onClick={start}>
          {t(outlined ? "quizzes.drawKey" : "quizzes.placeKey")}
        </Button>
        <CentreButton microscope={microscope} size="compact-xs" onSpot={spot} />
      </Group>
      {outlined ? (
        <Text size="xs" c="dimmed" aria-label={name}>
          {t("quizzes.corners", { count: question.key.outline.length })}
        </Text>
      ) : (
        <Radius question={question} onChange={onChange} />
      )}
      {question.kind === "region" && (
        <NumberInput
          size="xs"
          label={t("quizzes.overlap")}
          min={1}
          max={100}
          value={Math.round((question.key.overlap ?? 0.5) * 100)}
          onChange={(value) =>
            typeof value === "number" &&
            value > 0 &&
            onChange({ ...question, key: { ...question.key, overlap: Math.min(1, value / 100) } })
          }
        />
      )}
    </Stack>
  );
}

function Radius({ question, onChange }: Pick<Props<OnSlide>, "question" | "onChange">) {
  if (question.kind !== "point" || "outline" in question.key) return null;
  const { key } = question;
  return (
    <NumberInput
      size="xs"
      label={t("quizzes.radius")}
      min={1}
      value={key.l0_radius}
      onChange={(value) =>
        typeof value === "number" && value > 0 && onChange({ ...question, key: { ...key, l0_radius: value } })
      }
    />
  );
}

/** Options with the right ones, or in the right order. */
function OptionKey({ question, name, onChange }: Props<WithOptions>) {
  const { options, key } = question;
  const order = question.kind === "order";
  const multiple = question.kind === "choice" && question.multiple === true;
  const rename = (id: string, text: string): void =>
    onChange({ ...question, options: options.map((one) => (one.id === id ? { id, text } : one)) });
  const add = (): void => {
    const option: Option = { id: newId(), text: "" };
    onChange({ ...question, options: [...options, option], key: order ? [...key, option.id] : key });
  };
  const remove = (id: string): void => {
    const left = options.filter((one) => one.id !== id);
    const right = key.filter((one) => one !== id);
    onChange({ ...question, options: left, key: right.length > 0 ? right : [left[0]!.id] });
  };
  const toggle = (id: string): void => {
    if (!multiple) return onChange({ ...question, key: [id] });
    const next = key.includes(id) ? key.filter((one) => one !== id) : [...key, id];
    if (next.length > 0) onChange({ ...question, key: next });
  };
  const named = new Map(options.map((one) => [one.id, one]));
  return (
    <Stack gap={6} mt={6}>
      {question.kind === "choice" && (
        <Checkbox
          size="xs"
          label={t("quizzes.multiple")}
          checked={multiple}
          onChange={({ currentTarget: { checked } }) =>
            onChange({ ...question, multiple: checked, key: checked ? key : key.slice(0, 1) })
          }
        />
      )}
      {options.map(({ id, text }, i) => (
        <Group key={id} gap={6} wrap="nowrap">
          {!order && (
            <Checkbox
              aria-label={t("quizzes.optionIsRight", { i: i + 1, name })}
              checked={key.includes(id)}
              onChange={() => toggle(id)}
            />
          )}
          <TextInput
            size="xs"
            flex={1}
            aria-label={t("quizzes.optionOf", { i: i + 1, name })}
            placeholder={t("quizzes.option", { i: i + 1 })}
            maxLength={1000}
            value={text}
            onChange={({ currentTarget: { value } }) => rename(id, value)}
          />
          <ActionIcon
            size="sm"
            variant="subtle"
            color="gray"
            aria-label={t("quizzes.removeOption", { i: i + 1, name })}
            disabled={options.length <= 2}
            onClick={() => remove(id)}
          >
            <IconX size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Button size="compact-xs" variant="subtle" disabled={options.length >= 20} onClick={add}>
        {t("quizzes.addOption")}
      </Button>
      {order && (
        <>
          <Text size="xs">{t("quizzes.rightOrderIs")}</Text>
          <OrderList
            items={key.flatMap((id) => named.get(id) ?? [])}
            disabled={false}
            onOrder={(ids) => onChange({ ...question, key: [...ids] })}
          />
        </>
      )}
    </Stack>
  );
}
