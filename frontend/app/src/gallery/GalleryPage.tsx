import "./styles";
import { Skeleton } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { useStore } from "zustand";
import { PAGE } from "@wavescope/core/wire/catalog/catalogClient";
import { GALLERY_ANSWERS } from "@wavescope/core/wire/generated/galleryAnswers";
import { addAnswers } from "@wavescope/core/wire/http/api";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { labelOf } from "@wavescope/core/wire/catalog/facetsClient";
import { useKnownMay } from "../accounts/account";
import { useListFilter } from "../state/listFilter";
import { type Range, pagesOf } from "../state/listWindow";
import { refreshSlides } from "../state/queries";
import { useSlidePages } from "../state/slideQueries";
import { firstPicture } from "../ui/later/deferred";
import { later } from "../ui/later/Later";
import { useTyped } from "../ui/useTyped";
import { DropOverlay } from "./DropOverlay";
import { GalleryHeader } from "./GalleryHeader";
import { GallerySide } from "./GallerySide";
import { GalleryTools } from "./GalleryTools";
import type { CardDialog } from "./SlideCard";
import { SlideGrid } from "./SlideGrid";
import { chooseNone, gallery } from "./gallery";
import { uploads } from "./uploads";
import galleryStyles from "./gallery.module.css";
import styles from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { usePageTitle } from "../ui/usePageTitle";

const CasePath = later(async () => (await import("../cases/CasePath")).CasePath);
const CatalogFailure = later(async () => (await import("./GalleryNotices")).CatalogFailure);
const EmptyGallery = later(async () => (await import("./GalleryNotices")).EmptyGallery);
const NothingFound = later(async () => (await import("./GalleryNotices")).NothingFound);
const IncomingList = later(async () => (await import("./IncomingList")).IncomingList, { afterPicture: true });
const StoringDialogs = later(async () => (await import("../quality/StoringDialogs")).StoringDialogs, {
  afterPicture: true,
});
const SelectionBar = later(async () => (await import("./SelectionBar")).SelectionBar);
const RenameDialog = later(async () => (await import("./SlideDialogs")).RenameDialog);
const TagsDialog = later(async () => (await import("./SlideDialogs")).TagsDialog);
const AddToCaseDialog = later(async () => (await import("../cases/AddToCaseDialog")).AddToCaseDialog);

addAnswers(GALLERY_ANSWERS);

type Dialog =
  | { readonly kind: "rename"; readonly slide: SlideSummary }
  | {
      readonly kind: "tags";
      readonly title: string;
      readonly tags: SlideSummary["tags"];
      readonly slides: readonly string[];
    }
  | { readonly kind: "case"; readonly slides: readonly string[] }
  | null;

export function GalleryPage() {
  usePageTitle();
  const { filter, narrow } = useListFilter();
  const [search, setSearch] = useTyped(filter.search, (text) => narrow({ search: text }, true));
  const [dialog, setDialog] = useState<Dialog>(null);
  const chosen = useStore(gallery, (state) => state.chosen.length > 0);
  const [labels, setLabels] = useState(false); // not in the address: who follows a link has not asked for them
  const searched = filter.search.trim();
  const [range, setRange] = useState<Range>({ first: 0, end: 0 });
  const pages = useSlidePages(searched, filter.labels, filter.sort ?? "newest", pagesOf(range, PAGE));
  const { first: query, error } = pages;
  const listed = query.data !== undefined || error !== null;
  useEffect(() => {
    if (!listed) return;
    firstPicture.setState({ shown: true });
    CatalogFailure.load().catch(() => undefined); // there before no service answers
  }, [listed]);
  useIncoming(listed);

  const total = query.data?.total ?? 0;
  const within = filter.labels.find((label) => label.startsWith("within:"))?.slice("within:".length);
  const narrowed = searched !== "" || filter.labels.length > 0;
  const showAll = (): void => narrow({ search: "", labels: [] });
  const close = (): void => setDialog(null);
  const open = useCallback((kind: CardDialog, slide: SlideSummary) => setDialog(dialogOf(kind, slide)), []);
  return (
    <div className={styles.page}>
      <GalleryHeader search={search} onSearch={setSearch} />
      <div className={galleryStyles.shelves}>
        <GallerySide filter={filter} total={query.data?.total} onNarrow={narrow} />
        <main className={styles.main}>
          {within && <CasePath id={within} to={(id) => ["/", { label: [labelOf("within", id)] }]} />}
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
            <GalleryTools total={total} filter={filter} onNarrow={narrow} labels={labels} onLabels={setLabels} />
          )}
          {total > 0 && (
            <SlideGrid
              total={total}
              slide={pages.slide}
              between={pages.between}
              list={filter.list ?? false}
              labels={labels}
              sort={filter.sort}
              onRange={setRange}
              onSort={(sort) => narrow({ sort: sort === "newest" ? null : sort })}
              onDialog={open}
            />
          )}
          {chosen && (
            <SelectionBar
              onTags={(chosen) =>
                setDialog({
                  kind: "tags",
                  title: t("common.slides", { count: chosen.length }),
                  tags: {},
                  slides: chosen,
                })
              }
              onAddToCase={(chosen) => setDialog({ kind: "case", slides: chosen })}
            />
          )}
        </main>
      </div>
      <DropOverlay />
      <StoringDialogs />
      {dialog?.kind === "rename" && <RenameDialog slide={dialog.slide} onClose={close} />}
      {dialog?.kind === "tags" && <TagsDialog {...dialog} onClose={close} />}
      {dialog?.kind === "case" && <AddToCaseDialog slides={dialog.slides} onClose={close} onAdded={chooseNone} />}
    </div>
  );
}

function dialogOf(kind: CardDialog, slide: SlideSummary): Dialog {
  if (kind === "case") return { kind, slides: [slide.id] };
  if (kind === "rename") return { kind, slide };
  return { kind, title: slide.title, tags: slide.tags, slides: [slide.id] };
}

/** How often jobs that others have begun are looked for. */
const ADOPT_MILLISECONDS = 5000;

/** New slides show up as soon as their job is done; looked for once the list is here. */
function useIncoming(listed: boolean): void {
  const client = useQueryClient();
  const may = useKnownMay("instructor") && listed; // asking for jobs would be refused
  useEffect(() => {
    if (!may) return undefined;
    let timer: ReturnType<typeof setInterval> | undefined;
    let left = false;
    const begin = async (): Promise<void> => {
      const [{ adoptJobs, onFileNeedsDecision, whenSlideArrives }, { showStoredFiles }] = await Promise.all([
        uploads(),
        import("../quality/storing"),
      ]);
      if (left) return;
      whenSlideArrives(() => void refreshSlides(client));
      onFileNeedsDecision(showStoredFiles);
      void adoptJobs();
      timer = setInterval(() => void adoptJobs(), ADOPT_MILLISECONDS);
    };
    begin().catch(() => undefined); // no network: the page says so elsewhere
    return () => {
      left = true;
      clearInterval(timer);
    };
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
