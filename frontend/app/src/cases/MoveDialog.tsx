import { Button, Group, NavLink, ScrollArea } from "@mantine/core";
import { IconHome, IconStack2 } from "@tabler/icons-react";
import { t } from "@wavescope/core/i18n/i18n";
import { useMoveCase } from "./moving";
import { useCases } from "./queries";
import { mayMove, rowsOf } from "./tree";
import { Dialog } from "../ui/Dialog";

interface Props {
  readonly id: string;
  readonly title: string;
  readonly onClose: () => void;
}

/** Which collection a case is moved into, or out of all. */
export function MoveDialog({ id, title, onClose }: Props) {
  const cases = useCases().data ?? [];
  const move = useMoveCase();
  const to = (parent: string): void => {
    onClose();
    move(cases, id, parent);
  };
  return (
    <Dialog opened onClose={onClose} title={t("cases.moveTitle", { title })} centered>
      <ScrollArea.Autosize mah="50vh" data-testid="move-targets">
        <NavLink
          component="button"
          label={t("cases.topLevel")}
          leftSection={<IconHome size={16} />}
          disabled={!mayMove(cases, id, "")}
          onClick={() => to("")}
        />
        {rowsOf(cases, () => true).map(
          ({ case: one, depth }) =>
            one.kind === "collection" && (
              <NavLink
                key={one.id}
                component="button"
                label={one.title}
                leftSection={<IconStack2 size={16} />}
                ps={12 + 16 * (depth + 1)}
                disabled={!mayMove(cases, id, one.id)}
                onClick={() => to(one.id)}
              />
            ),
        )}
      </ScrollArea.Autosize>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </Group>
    </Dialog>
  );
}
