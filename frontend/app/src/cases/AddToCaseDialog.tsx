import { Alert, Button, Group, Loader, NavLink, ScrollArea, Text } from "@mantine/core";
import { IconFolder, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { addToCase } from "@wavescope/core/wire/catalog/casesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { NewCaseDialog } from "./CaseDialogs";
import { useCases, useEditCase } from "./queries";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

interface Props {
  readonly slides: readonly string[];
  readonly onClose: () => void;
  readonly onAdded?: () => void;
}

/** Puts slides into a case that there is, or into a new one. */
export function AddToCaseDialog({ slides, onClose, onAdded }: Props) {
  const [creating, setCreating] = useState(false);
  const cases = useCases();
  const add = useEditCase((id: string) => addToCase(id, slides));
  const done = (): void => {
    onClose();
    onAdded?.();
  };
  if (creating) return <NewCaseDialog slides={slides} onClose={onClose} onSaved={() => onAdded?.()} />;
  return (
    <Dialog opened onClose={onClose} title={t("common.addToCase")} centered>
      {cases.isPending && <Loader size="sm" aria-label={t("cases.loadingCases")} />}
      {cases.data?.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("cases.noCasesYet")}
        </Text>
      )}
      <ScrollArea.Autosize mah="50vh">
        {cases.data?.map(({ id, title, slides: count }) => (
          <NavLink
            key={id}
            component="button"
            label={title}
            description={t("common.slides", { count })}
            leftSection={<IconFolder size={16} />}
            onClick={() => add.mutate(id, { onSuccess: done })}
          />
        ))}
      </ScrollArea.Autosize>
      {add.error && <Alert color="red">{explain(add.error)}</Alert>}
      <Group justify="space-between" mt="lg">
        <Button variant="subtle" leftSection={<IconPlus size={14} />} onClick={() => setCreating(true)}>
          {t("cases.newCase")}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </Group>
    </Dialog>
  );
}
