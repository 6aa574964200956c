import { Button, CopyButton, Group, NativeSelect, Stack, Text, TextInput, Title } from "@mantine/core";
import { IconLink, IconPrinter, IconTextPlus, IconTrash } from "@tabler/icons-react";
import { useEffect } from "react";
import { useStore } from "zustand";
import { principalOf } from "@wavescope/core/wire/stored/policy";
import { useAccount } from "../accounts/account";
import { PageHeader } from "../accounts/PageHeader";
import { addressOf } from "../state/router";
import { notifyWithUndo } from "../ui/notice";
import pageStyles from "../ui/page.module.css";
import { usePageTitle } from "../ui/usePageTitle";
import { ItemControls } from "./ItemControls";
import { LinkedPage } from "./LinkedPage";
import { pageHash } from "./pageLink";
import { Sheets } from "./Sheets";
import { DIRECTIONS, type Layout, MAX_ITEMS, PAPERS, PER_SHEET } from "./sheets";
import styles from "./views.module.css";
import { changeViews, openViews, views } from "./viewsStore";
import { newId } from "@wavescope/viewer/core/newId";
import { t } from "@wavescope/core/i18n/i18n";

/** Views and results of counts on sheets of paper, as they are printed. */
export function ViewsPage() {
  usePageTitle(t("views.title"));
  const account = useAccount();
  const principal = account && principalOf(account);
  useEffect(() => {
    if (principal !== undefined && (principal !== null || views.getState().principal !== null))
      void openViews(principal);
  }, [principal]);
  const items = useStore(views, (state) => state.items);
  const layout = useStore(views, (state) => state.layout);
  const clear = (): void => {
    void changeViews({ items: [] });
    notifyWithUndo(t("views.cleared"), () => void changeViews({ items }));
  };
  const addText = (): void =>
    void changeViews({ items: [...items, { kind: "text", id: newId(), caption: "", text: "" }] });
  return (
    <div className={`${pageStyles.page} ${styles.page}`} data-testid="views-page">
      <PageHeader title={t("views.title")}>
        {items.length > 0 && (
          <>
            <CopyButton value={new URL(addressOf("/views"), location.href).href + pageHash({ items, layout })}>
              {({ copied, copy }) => (
                <Button variant="default" leftSection={<IconLink size={16} />} onClick={copy}>
                  {t(copied ? "views.linkCopied" : "views.copyLink")}
                </Button>
              )}
            </CopyButton>
            <Button variant="default" leftSection={<IconTrash size={16} />} onClick={clear}>
              {t("views.clear")}
            </Button>
            <Button leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
              {t("views.print")}
            </Button>
          </>
        )}
      </PageHeader>
      <LinkedPage />
      <main className={styles.main}>
        {items.length === 0 ? (
          <div className={pageStyles.empty}>
            <Title order={2} size="h4">
              {t("views.empty")}
            </Title>
            <Text c="dimmed">{t("views.emptyHint")}</Text>
          </div>
        ) : (
          <>
            <Stack className={styles.controls}>
              <Arrangement layout={layout} />
              <Stack component="section" gap="sm" aria-label={t("views.items")}>
                {items.map((item, i) => (
                  <ItemControls key={item.id} item={item} number={i + 1} items={items} />
                ))}
              </Stack>
              {items.length < MAX_ITEMS && (
                <Button variant="default" leftSection={<IconTextPlus size={16} />} onClick={addText}>
                  {t("views.addText")}
                </Button>
              )}
              <Text size="xs" c="dimmed">
                {t("views.keptHint")}
              </Text>
            </Stack>
            <Sheets items={items} layout={layout} />
          </>
        )}
      </main>
    </div>
  );
}

const PAPER_NAMES = { a4: t("views.a4"), letter: t("views.letter") };
const DIRECTION_NAMES = { portrait: t("views.portrait"), landscape: t("views.landscape") };

function Arrangement({ layout }: { readonly layout: Layout }) {
  const change = (changes: Partial<Layout>): void => void changeViews({ layout: { ...layout, ...changes } });
  return (
    <Stack component="section" gap="xs" aria-label={t("views.arrangement")}>
      <TextInput
        label={t("views.titleOfPage")}
        maxLength={200}
        value={layout.title}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <Group grow gap="xs" align="flex-end">
        <NativeSelect
          label={t("views.paper")}
          value={layout.paper}
          data={PAPERS.map((value) => ({ value, label: PAPER_NAMES[value] }))}
          onChange={(event) => change({ paper: event.currentTarget.value as Layout["paper"] })}
        />
        <NativeSelect
          label={t("views.direction")}
          value={layout.direction}
          data={DIRECTIONS.map((value) => ({ value, label: DIRECTION_NAMES[value] }))}
          onChange={(event) => change({ direction: event.currentTarget.value as Layout["direction"] })}
        />
        <NativeSelect
          label={t("views.perSheet")}
          value={String(layout.perSheet)}
          data={PER_SHEET.map(String)}
          onChange={(event) => change({ perSheet: Number(event.currentTarget.value) as Layout["perSheet"] })}
        />
      </Group>
    </Stack>
  );
}
