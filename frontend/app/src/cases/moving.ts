/** Moving cases between collections, with the way back (PG116). */
import { useQueryClient } from "@tanstack/react-query";
import { type CaseSummary, changeCase } from "@wavescope/core/wire/catalog/casesClient";
import { refreshSlides } from "../state/queries";
import { t } from "@wavescope/core/i18n/i18n";

/** What is dragged in a list of cases. */
export const DRAGGED = "application/x-wavescope-case";

/** Moves a case into a collection, or with "" out of all, and offers to take it back. */
export function useMoveCase(): (cases: readonly CaseSummary[], id: string, parent: string) => void {
  const client = useQueryClient();
  const put = async (id: string, parent: string): Promise<boolean> => {
    try {
      await changeCase(id, { parent });
    } catch (error) {
      const [{ explain }, { notifyFailure }] = await Promise.all([
        import("@wavescope/core/wire/http/explain"),
        import("../ui/notice"),
      ]);
      notifyFailure(t("cases.notMoved"), explain(error));
      return false;
    } finally {
      await refreshSlides(client);
    }
    return true;
  };
  return (cases, id, parent) =>
    void (async () => {
      const [moved, target] = [id, parent].map((wanted) => cases.find((one) => one.id === wanted));
      if (!moved || !(await put(id, parent))) return;
      const title = moved.title;
      const text = target ? t("cases.moved", { title, to: target.title }) : t("cases.movedOut", { title });
      const { notifyWithUndo } = await import("../ui/notice");
      notifyWithUndo(text, () => void put(id, moved.parent ?? ""));
    })();
}
