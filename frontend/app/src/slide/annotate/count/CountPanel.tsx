import { ActionIcon, Button, Group, NativeSelect, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { IconTrash, IconX } from "@tabler/icons-react";
import { type SubmitEvent, useState } from "react";
import { useStore } from "zustand";
import type { Annotations } from "@wavescope/viewer/annotate/annotations";
import type { PartProps } from "../../../microscope/parts";
import { useAnnotations, useAnnotationState } from "../../../microscope/useAnnotations";
import styles from "../annotate.module.css";
import { CountResult } from "./CountResult";
import { FieldSection } from "./FieldSection";
import { change, counting, isCounting, remember, start, stop } from "./counting";
import { BUILT_IN, MAX_CLASSES, type Setup, withSaved } from "./setup";
import { t } from "@wavescope/core/i18n/i18n";

/** What is counted, in which fields, and what comes out. */
export function CountPanel({ microscope, manifest }: PartProps) {
  const annotations = useAnnotations(microscope);
  const active = useAnnotationState(annotations, () => isCounting(annotations));
  return (
    <Stack gap="md" data-testid="count-panel">
      <Button size="xs" variant={active ? "default" : "filled"} onClick={() => (active ? stop : start)(annotations)}>
        {active ? t("counting.stopCounting") : t("counting.startCounting")}
      </Button>
      <CountResult annotations={annotations} manifest={manifest} />
      <Classes annotations={annotations} />
      {manifest.mpp && <FieldSection annotations={annotations} mpp={manifest.mpp} />}
      <Presets annotations={annotations} />
    </Stack>
  );
}

function Classes({ annotations }: { readonly annotations: Annotations }) {
  const { classes } = useStore(counting, (state) => state.current);
  const known = useAnnotationState(annotations, (state) => state.classes);
  const [name, setName] = useState("");
  const added = name.trim();
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    if (added && !classes.includes(added)) change(annotations, { classes: [...classes, added] });
    setName("");
  };
  return (
    <Stack gap={4} component="section" aria-label={t("counting.classes")}>
      <Text size="sm" fw={600}>
        {t("counting.classes")}
      </Text>
      {classes.map((one, i) => (
        <Group key={one} gap={6} wrap="nowrap">
          <kbd className={styles.digit}>{i + 1}</kbd>
          <Text size="sm" truncate className={styles.grow}>
            {one}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("counting.removeClass", { name: one })}
            title={t("counting.removeClass", { name: one })}
            onClick={() => change(annotations, { classes: classes.filter((other) => other !== one) })}
          >
            <IconX size={15} />
          </ActionIcon>
        </Group>
      ))}
      {classes.length < MAX_CLASSES && (
        <Group gap={6} wrap="nowrap" component="form" onSubmit={add}>
          <TextInput
            size="xs"
            aria-label={t("counting.addClass")}
            placeholder={t("counting.addHint")}
            maxLength={200}
            list="counted-classes"
            value={name}
            className={styles.grow}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <datalist id="counted-classes">
            {[...known.keys()].map((one) => (
              <option key={one} value={one} />
            ))}
          </datalist>
          <Button size="xs" variant="default" type="submit" disabled={!added}>
            {t("common.add")}
          </Button>
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {t("counting.classHint")}
      </Text>
    </Stack>
  );
}

/** The setups that are always there, and those that the user has saved in this browser. */
function Presets({ annotations }: { readonly annotations: Annotations }) {
  const current = useStore(counting, (state) => state.current);
  const saved = useStore(counting, (state) => state.saved);
  const [name, setName] = useState("");
  const all: readonly Setup[] = [...BUILT_IN, ...saved];
  const isSaved = saved.some((one) => one.name === current.name);
  const save = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!name.trim()) return;
    remember(withSaved(counting.getState(), { ...current, name: name.trim() }));
    setName("");
  };
  return (
    <Stack gap={6} component="section" aria-label={t("counting.preset")}>
      <Group gap={6} wrap="nowrap" align="end">
        <NativeSelect
          size="xs"
          label={t("counting.preset")}
          className={styles.grow}
          value={current.name}
          data={[...new Set(all.map((one) => one.name))]}
          onChange={({ currentTarget: { value } }) => {
            const chosen = all.findLast((one) => one.name === value);
            if (chosen) change(annotations, chosen);
          }}
        />
        {isSaved && (
          <Tooltip label={t("counting.deletePreset")}>
            <ActionIcon
              variant="subtle"
              color="red"
              aria-label={t("counting.deletePreset")}
              onClick={() => {
                remember({ saved: saved.filter((one) => one.name !== current.name) });
                change(annotations, BUILT_IN[0]!);
              }}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
      <Group gap={6} wrap="nowrap" component="form" onSubmit={save}>
        <TextInput
          size="xs"
          aria-label={t("counting.name")}
          placeholder={t("counting.name")}
          maxLength={200}
          value={name}
          className={styles.grow}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Button size="xs" variant="default" type="submit" disabled={!name.trim()}>
          {t("counting.savePreset")}
        </Button>
      </Group>
    </Stack>
  );
}
