import { Alert, Button, Card, Group, Loader, Text, Title } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { explain } from "@wavescope/core/wire/http/explain";
import {
  type TrashedSlide,
  emptyTrash,
  listTrash,
  purgeSlide,
  restoreSlide,
} from "@wavescope/core/wire/catalog/trashClient";
import { RoleGate } from "../accounts/RoleGate";
import { mayAs, useAccount } from "../accounts/account";
import { PageHeader } from "../accounts/PageHeader";
import { refreshSlides } from "../state/queries";
import { navigate, slidePath } from "../state/router";
import { notifyWithAction } from "../ui/notice";
import styles from "../ui/page.module.css";
import { dateLabel } from "../ui/dates";
import { ConfirmButton } from "../ui/ConfirmButton";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

/** Slides that were deleted: back to the gallery, or gone for good. */
export function TrashPage() {
  usePageTitle(t("common.trash"));
  const account = useAccount();
  if (account && mayAs(account, "instructor")) return <OpenTrash />;
  return (
    <div className={styles.page} data-testid="trash-page">
      <PageHeader title={t("common.trash")} />
      <main className={styles.main}>
        <RoleGate least="instructor" name={t("trash.trashInSentence")}>
          {null}
        </RoleGate>
      </main>
    </div>
  );
}

function OpenTrash() {
  const trash = useQuery({ queryKey: ["trash"], queryFn: ({ signal }) => listTrash(signal) });
  const empty = useEdit(emptyTrash);
  const slides = trash.data ?? [];
  return (
    <div className={styles.page} data-testid="trash-page">
      <PageHeader title={t("common.trash")}>
        {slides.length > 0 && (
          <ConfirmButton
            label={t("trash.emptyTrash")}
            confirmLabel={t("trash.deleteAll", { count: slides.length })}
            loading={empty.isPending}
            onConfirm={() => empty.mutate()}
          />
        )}
      </PageHeader>
      <main className={styles.main}>
        {trash.isPending && <Loader aria-label={t("trash.loadingTrash")} />}
        {trash.error && <Alert color="red">{explain(trash.error)}</Alert>}
        {trash.data && slides.length === 0 && (
          <div className={styles.empty}>
            <IconTrash size={48} stroke={1.2} aria-hidden="true" />
            <Title order={2} size="h3" mt="md">
              {t("trash.empty")}
            </Title>
            <Text c="dimmed" mt="xs">
              {t("trash.emptyHint")}
            </Text>
          </div>
        )}
        <div className={styles.grid}>
          {slides.map((slide) => (
            <TrashCard key={slide.id} slide={slide} />
          ))}
        </div>
      </main>
    </div>
  );
}

function TrashCard({ slide }: { readonly slide: TrashedSlide }) {
  const restore = useEdit(async () => {
    await restoreSlide(slide.id);
    const open = { label: t("common.open"), run: () => navigate(slidePath(slide.id)) };
    notifyWithAction(t("trash.restored", { title: slide.title }), open);
  });
  const purge = useEdit(() => purgeSlide(slide.id));
  return (
    <Card
      component="article"
      withBorder
      padding={0}
      data-testid="trash-card"
      data-slide-id={slide.id}
      aria-label={slide.title}
    >
      <div className={styles.thumbnail}>
        <img src={`${slide.thumbnail}?max=480`} alt="" loading="lazy" />
      </div>
      <div className={styles.cardText}>
        <Text fw={600} size="sm" lineClamp={1} title={slide.title}>
          {slide.title}
        </Text>
        <Text size="xs" c="dimmed">
          {t("trash.deletedAfter", { purgedAfter: dateLabel(slide.purgedAfter, "day") })}
        </Text>
        {(restore.error ?? purge.error) && <Alert color="red">{explain(restore.error ?? purge.error)}</Alert>}
        <Group gap="xs" mt="xs">
          <Button size="compact-sm" variant="default" loading={restore.isPending} onClick={() => restore.mutate()}>
            {t("trash.restore")}
          </Button>
          <ConfirmButton
            label={t("trash.deleteNow")}
            confirmLabel={t("trash.deletePermanently")}
            loading={purge.isPending}
            onConfirm={() => purge.mutate()}
          />
        </Group>
      </div>
    </Card>
  );
}

function useEdit(mutationFn: () => Promise<void>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => refreshSlides(client) });
}
