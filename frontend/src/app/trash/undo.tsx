/** Deleting without asking: it goes to the trash, and a word with "Undo" stands for a while. */
import { useQueryClient } from "@tanstack/react-query";
import { deleteSlide } from "../../wire/catalog/catalogClient";
import { explain } from "../../wire/http/explain";
import { restoreSlide } from "../../wire/catalog/trashClient";
import { notifyFailure, notifyWithUndo } from "../ui/notice";
import { refreshSlides } from "../state/queries";
import { t } from "../../i18n/i18n";

interface Named {
  readonly id: string;
  readonly title: string;
}

/** Moves slides into the trash and offers to take them back. */
export function useDeleteWithUndo(): (slides: readonly Named[]) => void {
  const client = useQueryClient();
  const undo = async (slides: readonly Named[]): Promise<void> => {
    await attempt(t("trash.notRestored"), () => Promise.all(slides.map(({ id }) => restoreSlide(id))));
    await refreshSlides(client);
  };
  return (slides) =>
    void (async () => {
      const done = await attempt(t("trash.notDeleted"), () => Promise.all(slides.map(({ id }) => deleteSlide(id))));
      await refreshSlides(client);
      if (!done) return;
      const text =
        slides.length === 1
          ? t("trash.titleInTrash", { title: slides[0].title })
          : t("trash.slidesInTrash", { count: slides.length });
      notifyWithUndo(text, () => void undo(slides));
    })();
}

/** Tells of a failure; whether there was none. */
async function attempt(title: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    notifyFailure(title, explain(error));
    return false;
  }
}
