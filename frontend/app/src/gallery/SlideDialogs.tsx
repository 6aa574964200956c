import { ActionIcon, Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { explain } from "@wavescope/core/wire/http/explain";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { useChangeSlide, useChangeSlides } from "../state/slideQueries";
import { tagKey, tagName } from "./facetNames";
import { SUGGESTED, type TagRow, changesOf, rowsOf } from "./tags";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

interface Props {
  readonly slide: SlideSummary;
  readonly onClose: () => void;
}

export function RenameDialog({ slide, onClose }: Props) {
  const [title, setTitle] = useState(slide.title);
  const rename = useChangeSlide();
  const name = title.trim();
  const save = (event: React.SubmitEvent): void => {
    event.preventDefault();
    if (name) rename.mutate({ id: slide.id, title: name }, { onSuccess: onClose });
  };
  return (
    <Dialog opened onClose={onClose} title={t("gallery.renameSlide")} centered>
      <form onSubmit={save}>
        <TextInput
          label={t("common.title")}
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.currentTarget.value)}
          onFocus={(event) => event.currentTarget.select()}
          data-autofocus
        />
        <Failure error={rename.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" disabled={!name} loading={rename.isPending}>
            {t("common.rename")}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

interface TagsProps {
  readonly title: string;
  /** Those that the slide has; of several slides none: what is entered is set for each, their other tags stay. */
  readonly tags: SlideSummary["tags"];
  readonly slides: readonly string[];
  readonly onClose: () => void;
}

/** Tags of slides: any names and values; some names are offered. */
export function TagsDialog({ title, tags: before, slides, onClose }: TagsProps) {
  const [rows, setRows] = useState<readonly TagRow[]>(() => rowsOf(before));
  const change = useChangeSlides();
  const set = (index: number, row: Partial<TagRow>): void =>
    setRows(rows.map((old, i) => (i === index ? { ...old, ...row } : old)));
  const save = (event: React.SubmitEvent): void => {
    event.preventDefault();
    const tags = changesOf(before, rows);
    if (Object.keys(tags).length === 0) return onClose();
    change.mutate({ ids: slides, tags }, { onSuccess: onClose });
  };
  return (
    <Dialog opened onClose={onClose} title={t("gallery.tagsOf", { title })} centered>
      <form onSubmit={save}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            {t("gallery.tagsHint")}
          </Text>
          {rows.map((row, i) => (
            <Group key={i} gap="xs" wrap="nowrap">
              <TextInput
                aria-label={t("gallery.tag")}
                placeholder={SUGGESTED[i] ? tagName(SUGGESTED[i]) : t("common.name")}
                value={tagName(row.key)}
                maxLength={40}
                autoFocus={row.key === ""} // one that was just added
                w={140}
                onChange={(event) => set(i, { key: tagKey(event.currentTarget.value) })}
              />
              <TextInput
                aria-label={t("gallery.valueOf", { key: tagName(row.key) || t("gallery.noTagName") })}
                placeholder={t("gallery.value")}
                value={row.value}
                maxLength={100}
                flex={1}
                onChange={(event) => set(i, { value: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => setRows(rows.filter((_, j) => j !== i))}
                aria-label={t("gallery.removeTag", { key: tagName(row.key) || t("gallery.noTagName") })}
              >
                <IconX size={14} />
              </ActionIcon>
            </Group>
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<IconPlus size={14} />}
            onClick={() => setRows([...rows, { key: "", value: "" }])}
          >
            {t("gallery.addTag")}
          </Button>
        </Stack>
        <Failure error={change.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t("common.save")}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}

function Failure({ error }: { readonly error: Error | null }) {
  if (!error) return null;
  return (
    <Alert color="red" variant="light" mt="md">
      {explain(error)}
    </Alert>
  );
}
