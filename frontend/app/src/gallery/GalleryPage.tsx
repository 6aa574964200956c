import { Button, Center, Group, Skeleton, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { useKnownMay } from "../accounts/account";
import { AddToCaseDialog } from "../cases/AddToCaseDialog";
import { SortSelect } from "../ui/SortSelect";
import { EVERYTHING, useListFilter } from "../state/listFilter";
import { errorOf, refreshSlides } from "../state/queries";
import { useSlides } from "../state/slideQueries";
import { StoringDialogs } from "../quality/StoringDialogs";
import { showStoredFiles } from "../quality/storing";
import { adoptJobs, onFileNeedsDecision, whenSlideArrives } from "../state/uploads";
import { useTyped } from "../ui/useTyped";
import { DropOverlay } from "./DropOverlay";
import { GalleryHeader } from "./GalleryHeader";
import { CatalogFailure, EmptyGallery, NothingFound } from "./GalleryNotices";
import { GallerySide } from "./GallerySide";
import { SelectionBar } from "./SelectionBar";
import { IncomingList } from "./IncomingList";
import { SlideCard } from "./SlideCard";
import { RenameDialog, TagsDialog } from "./SlideDialogs";
import { chooseNone } from "./gallery";
import galleryStyles from "./gallery.module.css";
import styles from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

type Dialog =
  | { readonly kind: "rename" | "tags"; readonly slide: SlideSummary }
  | { readonly kind: "case"; readonly slides: readonly string[] }
  | null;

export function GalleryPage() {
  usePageTitle();
  const { filter, narrow } = useListFilter();
  const [search, setSearch] = useTyped(filter.search, (text) => narrow({ search: text }, true));
  const [dialog, setDialog] = useState<Dialog>(null);
  const searched = filter.search.trim();
  const query = useSlides(searched, filter.labels, filter.sort ?? "newest");
  useIncoming();

  const slides = query.data?.pages.flatMap((page) => page.slides) ?? [];
  const error = errorOf(query);
  const total = query.data?.pages[0]?.total ?? 0;
  const narrowed = searched !== "" || filter.labels.length > 0;
  const showAll = (): void => narrow({ ...EVERYTHING, sort: filter.sort });
  const close = (): void => setDialog(null);
  return (
    <div className={styles.page}>
      <GalleryHeader search={search} onSearch={setSearch} />
      <div className={galleryStyles.shelves}>
        <GallerySide filter={filter} total={query.data?.pages[0]?.total} onNarrow={narrow} />
        <main className={styles.main}>
          {error && <CatalogFailure error={error} />}
          <IncomingList />
          {query.isPending && !error && <Waiting />}
          {query.data &&
            total === 0 &&
            (narrowed ? (
              <NothingFound search={searched} filtered={filter.labels.length > 0} onClear={showAll} />
            ) : (
              <EmptyGallery />
            ))}
          {total > 0 && (
            <Group justify="space-between" mb="sm">
              <Text size="sm" c="dimmed" role="status">
                {t("common.slides", { count: total })}
              </Text>
              <SortSelect own="newest" value={filter.sort} onChange={(sort) => narrow({ sort })} />
            </Group>
          )}
          <SelectionBar slides={slides} onAddToCase={(chosen) => setDialog({ kind: "case", slides: chosen })} />
          <div className={styles.grid}>
            {slides.map((slide) => (
              <SlideCard
                key={slide.id}
                slide={slide}
                onDialog={(kind) => setDialog(kind === "case" ? { kind, slides: [slide.id] } : { kind, slide })}
              />
            ))}
          </div>
          {query.hasNextPage && (
            <Center mt="lg">
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t("common.showMore")}
              </Button>
            </Center>
          )}
        </main>
      </div>
      <DropOverlay />
      <StoringDialogs />
      {dialog?.kind === "rename" && <RenameDialog slide={dialog.slide} onClose={close} />}
      {dialog?.kind === "tags" && <TagsDialog slide={dialog.slide} onClose={close} />}
      {dialog?.kind === "case" && <AddToCaseDialog slides={dialog.slides} onClose={close} onAdded={chooseNone} />}
    </div>
  );
}

/** How often jobs that others have begun are looked for. */
const ADOPT_MILLISECONDS = 5000;

/** New slides show up as soon as their job is done. */
function useIncoming(): void {
  const client = useQueryClient();
  const may = useKnownMay("instructor");
  useEffect(() => {
    if (!may) return undefined; // asking for jobs would be refused
    whenSlideArrives(() => void refreshSlides(client));
    onFileNeedsDecision(showStoredFiles);
    void adoptJobs();
    const timer = setInterval(() => void adoptJobs(), ADOPT_MILLISECONDS);
    return () => clearInterval(timer);
  }, [client, may]);
}

function Waiting() {
  return (
    <div className={styles.grid} aria-busy="true" aria-label={t("common.loadingSlides")}>
      {[1, 2, 3, 4].map((key) => (
        <Skeleton key={key} height={270} />
      ))}
    </div>
  );
}
