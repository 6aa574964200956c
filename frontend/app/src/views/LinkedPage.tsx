import { Alert, Button, Group, Progress } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";
import { useMemo, useState, useSyncExternalStore } from "react";
import { onNavigation } from "../state/router";
import { notifyFailure, notifyWithUndo } from "../ui/notice";
import { type PlannedPage, pageOf } from "./pageLink";
import { changeViews, views } from "./viewsStore";
import { t } from "@wavescope/core/i18n/i18n";

/** Asks whether the page in the link shall be shown, and makes it. */
export function LinkedPage() {
  const hash = useSyncExternalStore(onNavigation, () => location.hash);
  const page = useMemo(() => pageOf(hash), [hash]);
  const [done, setDone] = useState<number | null>(null);
  if (!page) return null;
  const show = (): void => {
    setDone(0);
    void showPage(page, setDone).finally(() => setDone(null));
  };
  const count = page.items.length;
  return (
    <Alert icon={<IconLink size={18} />} title={t("views.linked", { count })} data-testid="linked-page">
      {done === null ? (
        <Group gap="xs">
          <Button size="compact-md" onClick={show}>
            {t("views.showLinked")}
          </Button>
          {t("views.linkedHint")}
        </Group>
      ) : (
        <>
          <span role="status">{t("views.making", { done, count })}</span>
          <Progress mt="xs" value={(100 * done) / count} aria-label={t("views.making", { done, count })} />
        </>
      )}
    </Alert>
  );
}

async function showPage(page: PlannedPage, report: (done: number) => void): Promise<void> {
  const { rebuilt } = await import("./rebuilding");
  const items = await rebuilt(page.items, report);
  const { items: before, layout } = views.getState();
  await changeViews({ items, layout: page.layout });
  history.replaceState(history.state, "", location.pathname + location.search);
  dispatchEvent(new Event("popstate")); // the link is done
  notifyWithUndo(t("views.shown", { count: items.length }), () => void changeViews({ items: before, layout }));
  const lost = page.items.length - items.length;
  if (lost > 0) notifyFailure(t("views.notShown", { count: lost }), t("views.notShownHint"));
}
