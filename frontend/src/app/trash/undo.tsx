/** Deleting without asking: it goes to the trash, and a word with "Undo" stands for a while. */
import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { deleteSlide } from "../../wire/catalogClient";
import { explain } from "../../wire/errors";
import { restoreSlide } from "../../wire/trashClient";
import { refreshSlides } from "../queries";

const UNDO_MILLISECONDS = 12_000;

interface Named {
  readonly id: string;
  readonly title: string;
}

/** Moves slides into the trash and offers to take them back. */
export function useDeleteWithUndo(): (slides: readonly Named[]) => void {
  const client = useQueryClient();
  const undo = async (slides: readonly Named[], toast: string): Promise<void> => {
    notifications.hide(toast);
    await attempt("Not restored", () => Promise.all(slides.map(({ id }) => restoreSlide(id))));
    await refreshSlides(client);
  };
  return (slides) =>
    void (async () => {
      const done = await attempt("Not deleted", () => Promise.all(slides.map(({ id }) => deleteSlide(id))));
      await refreshSlides(client);
      if (done) offerUndo(slides, undo);
    })();
}

function offerUndo(slides: readonly Named[], undo: (slides: readonly Named[], toast: string) => Promise<void>): void {
  const toast = `deleted ${slides.map(({ id }) => id).join(" ")}`;
  const what = slides.length === 1 ? `“${slides[0].title}” is` : `${slides.length} slides are`;
  notifications.show({
    id: toast,
    autoClose: UNDO_MILLISECONDS,
    withBorder: true,
    closeButtonProps: { "aria-label": "Close" },
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{what} in the trash.</Text>
        <Button size="compact-sm" variant="default" onClick={() => void undo(slides, toast)}>
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Tells of a failure; whether there was none. */
async function attempt(title: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    notifications.show({ title, message: explain(error), color: "red", withBorder: true, closeButtonProps: { "aria-label": "Close" } });
    return false;
  }
}
