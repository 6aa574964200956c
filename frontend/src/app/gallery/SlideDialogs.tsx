import { Alert, Button, Group, Modal, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { explain } from "../../wire/errors";
import type { SlideSummary } from "../../wire/manifest";
import { useDelete, useRename } from "../queries";

const CLOSE = { "aria-label": "Close" };

interface Props {
  readonly slide: SlideSummary;
  readonly onClose: () => void;
}

export function RenameDialog({ slide, onClose }: Props) {
  const [title, setTitle] = useState(slide.title);
  const rename = useRename();
  const name = title.trim();
  const save = (event: React.FormEvent): void => {
    event.preventDefault();
    if (name) rename.mutate({ id: slide.id, title: name }, { onSuccess: onClose });
  };
  return (
    <Modal opened onClose={onClose} title="Rename slide" centered closeButtonProps={CLOSE}>
      <form onSubmit={save}>
        <TextInput label="Title" value={title} maxLength={200} onChange={(event) => setTitle(event.currentTarget.value)} data-autofocus />
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

export function DeleteDialog({ slide, onClose }: Props) {
  const remove = useDelete();
  return (
    <Modal opened onClose={onClose} title="Delete slide" centered closeButtonProps={CLOSE}>
      <Text size="sm">
        Move <b>{slide.title}</b> into the trash? It can be brought back from there.
      </Text>
      <Failure error={remove.error} />
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep
        </Button>
        <Button color="red.9" loading={remove.isPending} onClick={() => remove.mutate(slide.id, { onSuccess: onClose })}>
          Delete
        </Button>
      </Group>
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
