/** Deleting without asking: it goes to the trash, and a word with "Undo" stands for a while. */
import { useQueryClient } from "@tanstack/react-query";
import { deleteSlide } from "@wavescope/core/wire/catalog/catalogClient";
import { explain } from "@wavescope/core/wire/http/explain";
import { restoreSlide } from "@wavescope/core/wire/catalog/trashClient";
import { notifyFailure, notifyWithUndo } from "../ui/notice";
import { refreshSlides } from "../state/queries";
import { t } from "@wavescope/core/i18n/i18n";

interface Named {
  readonly id: string;
  readonly title: string;
}

/** Moves slides into the trash and offers to take them back. */
export function useDeleteWithUndo(): (slides: readonly Named[]) => void {
  const client = useQueryClient();
  const undo = async (slides: readonly Named[]): Promise<void> => {
    await attempt(t("trash.notRestored"), slides, restoreSlide);
    await refreshSlides(client);
  };
  return (slides) =>
    void (async () => {
      const deleted = await attempt(t("trash.notDeleted"), slides, deleteSlide);
      await refreshSlides(client);
      if (deleted.length === 0) return;
      const text =
        deleted.length === 1
          ? t("trash.titleInTrash", { title: deleted[0]!.title })
          : t("trash.slidesInTrash", { count: deleted.length });
      notifyWithUndo(text, () => void undo(deleted));
    })();
}

/** Does it for each slide and reports the first failure. The slides for which it was done. */
async function attempt(
  title: string,
  slides: readonly Named[],
  work: (id: string) => Promise<void>,
): Promise<readonly Named[]> {
  const outcomes = await Promise.allSettled(slides.map(({ id }) => work(id)));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) notifyFailure(title, explain(failure.reason));
  return slides.filter((_, i) => outcomes[i]!.status === "fulfilled");
}
