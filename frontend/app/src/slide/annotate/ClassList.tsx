import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconEye, IconEyeOff, IconSelectAll, IconTrash } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { PALETTE, fromHex, hexOf } from "@wavescope/viewer/annotate/paint/colors";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Color } from "@wavescope/core/wire/annotations/annotations";
import { ClassSelect } from "./ClassSelect";
import styles from "./annotate.module.css";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

/** The classes of the slide: colours, what is hidden, and what new objects become. */
export function ClassList({ annotations }: { readonly annotations: Annotations }) {
  const { store } = annotations;
  const classes = useAnnotationState(annotations, (state) => state.classes);
  const hidden = useAnnotationState(annotations, (state) => state.hiddenClasses);
  const current = useAnnotationState(annotations, (state) => state.currentClass);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const [name, setName] = useState("");
  const set = (className: string, color: Color): void => {
    store.setClass(className, color).catch((error: unknown) => store.set({ notice: explain(error) }));
  };
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!name.trim()) return;
    set(name.trim(), PALETTE[classes.size % PALETTE.length]!);
    store.set({ currentClass: name.trim() });
    setName("");
  };
  const toggle = (className: string): void => {
    const next = new Set(hidden);
    if (!next.delete(className)) next.add(className);
    store.set({ hiddenClasses: next });
  };
  return (
    <Stack gap={4} component="section" aria-label={t("annotate.classes")}>
      {editable && (
        <ClassSelect
          annotations={annotations}
          label={t("annotate.classForNew")}
          value={current}
          onChange={(className) => store.set({ currentClass: className })}
        />
      )}
      {[...classes].map(([className, color]) => (
        <Group key={className} gap={6} wrap="nowrap" className={styles.class}>
          <input
            type="color"
            aria-label={t("annotate.colourOf", { one: className })}
            value={hexOf(color)}
            disabled={!editable}
            onChange={(event) => set(className, fromHex(event.currentTarget.value) ?? color)}
          />
          <Text size="sm" truncate className={styles.grow}>
            {className}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("annotate.selectClass", { one: className })}
            title={t("annotate.selectClass", { one: className })}
            onClick={() => store.selectWhere((content) => content.class === className)}
          >
            <IconSelectAll size={15} />
          </ActionIcon>
          {editable && (
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t("annotate.deleteClass", { one: className })}
              title={t("annotate.deleteClass", { one: className })}
              onClick={() => store.removeWhere((content) => content.class === className)}
            >
              <IconTrash size={15} />
            </ActionIcon>
          )}
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("annotate.showClass", { one: className })}
            aria-pressed={!hidden.has(className)}
            onClick={() => toggle(className)}
          >
            {hidden.has(className) ? <IconEyeOff size={15} /> : <IconEye size={15} />}
          </ActionIcon>
        </Group>
      ))}
      {editable && (
        <Group gap={6} wrap="nowrap" component="form" onSubmit={add}>
          <TextInput
            size="xs"
            aria-label={t("annotate.classNameLabel")}
            placeholder={t("annotate.newClass")}
            maxLength={200}
            value={name}
            className={styles.grow}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" type="submit" disabled={!name.trim()}>
            {t("common.add")}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
