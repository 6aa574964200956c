import { ActionIcon, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconEye, IconEyeOff, IconPencil, IconSelectAll, IconTagOff, IconTrash } from "@tabler/icons-react";
import { type ReactNode, type SubmitEvent, useMemo, useState } from "react";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import { PALETTE, fromHex, hexOf } from "@wavescope/viewer/annotate/paint/colors";
import { groupedNumber } from "@wavescope/core/geometry/figures";
import { explain } from "@wavescope/core/wire/http/explain";
import type { Color } from "@wavescope/core/wire/annotations/annotations";
import { ClassSelect } from "./ClassSelect";
import styles from "./annotate.module.css";
import colours from "../../ui/colour.module.css";
import { useAnnotationState } from "../../microscope/useAnnotations";
import { t } from "@wavescope/core/i18n/i18n";

/** The classes of the slide: colours, what is hidden, and what new objects become. */
export function ClassList({ annotations }: { readonly annotations: Annotations }) {
  const { store } = annotations;
  const classes = useAnnotationState(annotations, (state) => state.classes);
  const hidden = useAnnotationState(annotations, (state) => state.hiddenClasses);
  const current = useAnnotationState(annotations, (state) => state.currentClass);
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const version = useAnnotationState(annotations, (state) => state.version);
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the version stands for the objects of the store
  const counts = useMemo(() => store.classCounts(), [store, version]);
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
        <ClassRow
          key={className}
          annotations={annotations}
          name={className}
          color={color}
          count={counts.get(className) ?? 0}
          hidden={hidden.has(className)}
          onColor={(next) => set(className, next)}
          onToggle={() => toggle(className)}
        />
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

interface ClassRowProps {
  readonly annotations: Annotations;
  readonly name: string;
  readonly color: Color;
  readonly count: number;
  readonly hidden: boolean;
  readonly onColor: (color: Color) => void;
  readonly onToggle: () => void;
}

function ClassRow({ annotations, name, color, count, hidden, onColor, onToggle }: ClassRowProps) {
  const { store } = annotations;
  const editable = useAnnotationState(annotations, (state) => state.editable);
  const [renaming, setRenaming] = useState(false);
  if (renaming) return <ClassName annotations={annotations} name={name} onDone={() => setRenaming(false)} />;
  return (
    <Group gap={6} wrap="nowrap">
      <input
        type="color"
        className={colours.colour}
        aria-label={t("annotate.colourOf", { one: name })}
        value={hexOf(color)}
        disabled={!editable}
        onChange={(event) => onColor(fromHex(event.currentTarget.value) ?? color)}
      />
      <Text size="sm" truncate className={styles.grow} title={name}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" aria-label={t("common.annotationCount", { count })}>
        {groupedNumber(count)}
      </Text>
      {editable && (
        <ClassButton label={t("annotate.renameClass", { one: name })} onClick={() => setRenaming(true)}>
          <IconPencil size={15} />
        </ClassButton>
      )}
      <ClassButton
        label={t("annotate.selectClass", { one: name })}
        onClick={() => store.selectWhere((content) => content.class === name)}
      >
        <IconSelectAll size={15} />
      </ClassButton>
      {editable && (
        <ClassButton
          label={t("annotate.deleteClass", { one: name })}
          onClick={() => store.removeWhere((content) => content.class === name)}
        >
          <IconTrash size={15} />
        </ClassButton>
      )}
      <ClassButton label={t("annotate.showClass", { one: name })} pressed={!hidden} onClick={onToggle}>
        {hidden ? <IconEyeOff size={15} /> : <IconEye size={15} />}
      </ClassButton>
    </Group>
  );
}

interface ClassButtonProps {
  readonly label: string;
  readonly pressed?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function ClassButton({ label, pressed, onClick, children }: ClassButtonProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}

interface ClassNameProps {
  readonly annotations: Annotations;
  readonly name: string;
  readonly onDone: () => void;
}

/** Another name for a class, or none. */
function ClassName({ annotations, name, onDone }: ClassNameProps) {
  const { store } = annotations;
  const classes = useAnnotationState(annotations, (state) => state.classes);
  const [typed, setTyped] = useState(name);
  const next = typed.trim();
  const rename = (to: string): void => {
    onDone();
    store.renameClass(name, to).catch((error: unknown) => store.set({ notice: explain(error) }));
  };
  return (
    <Group
      gap={6}
      wrap="nowrap"
      align="flex-start"
      component="form"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        if (next) rename(next);
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone();
      }}
    >
      <TextInput
        size="xs"
        aria-label={t("annotate.newName")}
        maxLength={200}
        value={typed}
        data-autofocus
        autoFocus
        className={styles.grow}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.currentTarget.value)}
        description={next !== name && classes.has(next) ? t("annotate.mergeInto", { one: next }) : undefined}
        inputWrapperOrder={["input", "description"]}
      />
      <Button size="xs" type="submit" disabled={!next}>
        {t("common.rename")}
      </Button>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t("annotate.removeClass", { one: name })}
        title={t("annotate.removeClass", { one: name })}
        onClick={() => rename("")}
      >
        <IconTagOff size={15} />
      </ActionIcon>
    </Group>
  );
}
