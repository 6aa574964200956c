import { ActionIcon, Group, Stack, Text, TextInput, Textarea, Tooltip } from "@mantine/core";
import { IconFocus2, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import type { Annotations } from "../../../viewer/annotate/annotations";
import { KIND_NAMES, measureLabels } from "../../../viewer/annotate/draw/labels";
import type { Content } from "../../../wire/annotations/annotations";
import type { Manifest } from "../../../wire/slides/manifest";
import { ClassSelect } from "./ClassSelect";
import styles from "./annotate.module.css";
import { showObject } from "./showObject";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "../../../i18n/i18n";

interface Props {
  readonly annotations: Annotations;
  readonly manifest: Manifest;
}

/** Name, words, class and measures of what is selected. */
export function SelectionEditor({ annotations, manifest }: Props) {
  const { store } = annotations;
  const selected = useAnnotationState(annotations, (state) => state.selected);
  useAnnotationState(annotations, (state) => state.version);
  const first = selected.length > 0 ? store.get(selected[0]) : null;
  if (!first) {
    return (
      <Text size="xs" c="dimmed">
        {t("annotate.nothingSelected")}
      </Text>
    );
  }
  const mayChange = selected.every((id) => store.mayChange(id));
  const shared = selected.every((id) => store.get(id)?.class === first.class) ? first.class : "";
  return (
    <Stack gap={6} className={styles.editor} data-testid="annotation-editor">
      <Group justify="space-between" wrap="nowrap" gap={4}>
        <Text size="sm" fw={600}>
          {selected.length === 1
            ? KIND_NAMES[first.shape.kind]
            : t("common.annotationCount", { count: selected.length })}
        </Text>
        <Group gap={2} wrap="nowrap">
          <Tooltip label={t("annotate.zoomTo")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("annotate.zoomTo")}
              onClick={() => showObject(annotations, selected[0], true)}
            >
              <IconFocus2 size={16} />
            </ActionIcon>
          </Tooltip>
          {mayChange && (
            <Tooltip label={t("annotate.deleteWithKey")}>
              <ActionIcon
                variant="subtle"
                color="red"
                aria-label={t("annotate.deleteSelected")}
                onClick={() => store.remove(selected)}
              >
                <IconTrash size={16} />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </Group>
      {selected.length === 1 && (
        <>
          <Measures content={first} manifest={manifest} />
          {mayChange ? (
            <TextFields
              key={`${selected[0]} ${first.name} ${first.text}`}
              annotations={annotations}
              id={selected[0]}
              content={first}
            />
          ) : (
            <ReadOnlyText content={first} />
          )}
        </>
      )}
      {mayChange && (
        <ClassSelect
          annotations={annotations}
          label={t("annotate.class")}
          value={shared}
          onChange={(name) => store.amend(selected, { class: name })}
        />
      )}
    </Stack>
  );
}

function Measures({ content, manifest }: { readonly content: Content; readonly manifest: Manifest }) {
  const labels = measureLabels(content.shape, manifest.mpp);
  if (labels.length === 0) return null;
  return (
    <Text size="sm" className={styles.measures} data-testid="annotation-measures">
      {labels.join(" · ")}
    </Text>
  );
}

/** Name, class and text, without the right to change them. */
function ReadOnlyText({ content: { name, class: group, text } }: { readonly content: Content }) {
  const head = [name, group].filter(Boolean).join(" · ");
  return (
    <>
      {head && <Text size="sm">{head}</Text>}
      {text && (
        <Text size="sm" style={{ whiteSpace: "pre-wrap" }}>
          {text}
        </Text>
      )}
    </>
  );
}

/** Written when the field is left or Enter is pressed. */
function TextFields({
  annotations,
  id,
  content,
}: {
  readonly annotations: Annotations;
  readonly id: string;
  readonly content: Content;
}) {
  const { store } = annotations;
  const [name, setName] = useState(content.name);
  const [text, setText] = useState(content.text);
  const emptyText = useAnnotationState(annotations, (state) => state.emptyText);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (emptyText !== id) return;
    area.current?.focus();
    store.set({ emptyText: null });
  }, [emptyText, id, store]);
  useEffect(() => () => store.set({ typed: null }), [store]);
  const show = (typed: { name?: string; text?: string }): void => store.set({ typed: { id, name, text, ...typed } });
  const save = (): void => {
    store.set({ typed: null });
    const change = { name: name.trim(), text };
    if (change.name !== content.name || change.text !== content.text) store.amend([id], change);
  };
  return (
    <>
      <TextInput
        size="xs"
        label={t("common.name")}
        maxLength={200}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          show({ name: event.currentTarget.value });
        }}
        onBlur={save}
        onKeyDown={(event) => event.key === "Enter" && save()}
      />
      <Textarea
        ref={area}
        size="xs"
        label={t("annotate.text")}
        autosize
        minRows={1}
        maxRows={6}
        maxLength={10_000}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          show({ text: event.currentTarget.value });
        }}
        onBlur={save}
      />
    </>
  );
}
