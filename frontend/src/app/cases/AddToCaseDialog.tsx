import { Alert, Button, Group, Loader, Modal, NavLink, ScrollArea, Text } from "@mantine/core";
import { IconFolder, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { addToCase } from "../../wire/catalog/casesClient";
import { explain } from "../../wire/http/errors";
import { NewCaseDialog } from "./CaseDialogs";
import { useCases, useEditCase } from "./queries";

interface Props {
  readonly slides: readonly string[];
  readonly onClose: () => void;
  readonly onAdded?: () => void;
}

/** Puts slides into a case that there is, or into a new one. */
export function AddToCaseDialog({ slides, onClose, onAdded }: Props) {
  const [making, setMaking] = useState(false);
  const cases = useCases();
  const add = useEditCase((id: string) => addToCase(id, slides));
  const done = (): void => {
    onClose();
    onAdded?.();
  };
  if (making) return <NewCaseDialog slides={slides} onClose={onClose} onSaved={() => onAdded?.()} />;
  return (
    <Modal opened onClose={onClose} title="Add to a case" centered closeButtonProps={{ "aria-label": "Close" }}>
      {cases.isPending && <Loader size="sm" aria-label="Loading cases" />}
      {cases.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          There are no cases yet.
        </Text>
      )}
      <ScrollArea.Autosize mah="50vh">
        {cases.data?.map(({ id, title, slides: count }) => (
          <NavLink
            key={id}
            component="button"
            label={title}
            description={count === 1 ? "1 slide" : `${count} slides`}
            leftSection={<IconFolder size={16} />}
            onClick={() => add.mutate(id, { onSuccess: done })}
          />
        ))}
      </ScrollArea.Autosize>
      {add.error && <Alert color="red">{explain(add.error)}</Alert>}
      <Group justify="space-between" mt="lg">
        <Button variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => setMaking(true)}>
          New case
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Modal>
  );
}
