import { ActionIcon, Alert, Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { explain } from "../../wire/http/errors";
import type { SlideSummary } from "../../wire/slides/manifest";
import { useChangeSlide } from "../state/queries";
import { SUGGESTED, type TagRow, changesOf, rowsOf } from "./tags";

const CLOSE = { "aria-label": "Close" };

interface Props {
  readonly slide: SlideSummary;
  readonly onClose: () => void;
}

export function RenameDialog({ slide, onClose }: Props) {
  const [title, setTitle] = useState(slide.title);
  const rename = useChangeSlide();
  const name = title.trim();
  const save = (event: React.FormEvent): void => {
    event.preventDefault();
    if (name) rename.mutate({ id: slide.id, title: name }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title="Rename slide" centered closeButtonProps={CLOSE}>
      <form onSubmit={save}>
        <TextInput
          label="Title"
          value={title}
          maxLength={200}
          onChange={(event) => setTitle(event.currentTarget.value)}
          data-autofocus
        />
        <Failure error={rename.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!name} loading={rename.isPending}>
            Rename
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** Tags of a slide: any names and values; stain and organ are offered. */
export function TagsDialog({ slide, onClose }: Props) {
  const [rows, setRows] = useState<readonly TagRow[]>(() => rowsOf(slide.tags));
  const change = useChangeSlide();
  const set = (place: number, row: Partial<TagRow>): void =>
    setRows(rows.map((old, i) => (i === place ? { ...old, ...row } : old)));
  const save = (event: React.FormEvent): void => {
    event.preventDefault();
    const tags = changesOf(slide.tags, rows);
    if (Object.keys(tags).length === 0) return onClose();
    change.mutate({ id: slide.id, tags }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title={`Tags of ${slide.title}`} centered closeButtonProps={CLOSE}>
      <form onSubmit={save}>
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            Slides are found by their tags.
          </Text>
          {rows.map((row, i) => (
            <Group key={i} gap="xs" wrap="nowrap">
              <TextInput
                aria-label="Tag"
                placeholder={SUGGESTED[i] ?? "Name"}
                value={row.key}
                maxLength={40}
                w={140}
                onChange={(event) => set(i, { key: event.currentTarget.value })}
              />
              <TextInput
                aria-label={`Value of ${row.key || "the tag"}`}
                placeholder="Value"
                value={row.value}
                maxLength={100}
                flex={1}
                onChange={(event) => set(i, { value: event.currentTarget.value })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                onClick={() => setRows(rows.filter((_, j) => j !== i))}
                aria-label={`Remove ${row.key || "tag"}`}
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
            Another tag
          </Button>
        </Stack>
        <Failure error={change.error} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={change.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </Modal>
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
