import { Button, Center, Skeleton, Text } from "@mantine/core";
import { useDebouncedValue, useDocumentTitle } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SlideSummary } from "../../wire/manifest";
import { obstacleOf, useSlides } from "../queries";
import { adoptJobs, whenSlideArrives } from "../uploads";
import { DropVeil } from "./DropVeil";
import { GalleryHeader } from "./GalleryHeader";
import { CatalogFailure, EmptyGallery, NothingFound } from "./GalleryNotices";
import { IncomingList } from "./IncomingList";
import { SlideCard } from "./SlideCard";
import { DeleteDialog, RenameDialog } from "./SlideDialogs";
import styles from "./gallery.module.css";

type Dialog = { readonly kind: "rename" | "delete"; readonly slide: SlideSummary } | null;

export function GalleryPage() {
  useDocumentTitle("Wavescope");
  const [search, setSearch] = useState("");
  const [asked] = useDebouncedValue(search.trim(), 200);
  const [dialog, setDialog] = useState<Dialog>(null);
  const query = useSlides(asked);
  useIncoming();

  const slides = query.data?.pages.flatMap((page) => page.slides) ?? [];
  const obstacle = obstacleOf(query);
  const total = query.data?.pages[0]?.total ?? 0;
  const close = (): void => setDialog(null);
  return (
    <div className={styles.page}>
      <GalleryHeader search={search} onSearch={setSearch} />
      <main className={styles.main}>
        {obstacle && <CatalogFailure error={obstacle} />}
        <IncomingList />
        {query.isPending && !obstacle && <Waiting />}
        {query.data && total === 0 && (asked ? <NothingFound search={asked} onClear={() => setSearch("")} /> : <EmptyGallery />)}
        {total > 0 && (
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {total === 1 ? "1 slide" : `${total} slides`}
          </Text>
        )}
        <div className={styles.grid}>
          {slides.map((slide) => (
            <SlideCard
              key={slide.id}
              slide={slide}
              onRename={() => setDialog({ kind: "rename", slide })}
              onDelete={() => setDialog({ kind: "delete", slide })}
            />
          ))}
        </div>
        {query.hasNextPage && (
          <Center mt="lg">
            <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          </Center>
        )}
      </main>
      <DropVeil />
      {dialog?.kind === "rename" && <RenameDialog slide={dialog.slide} onClose={close} />}
      {dialog?.kind === "delete" && <DeleteDialog slide={dialog.slide} onClose={close} />}
    </div>
  );
}

/** New slides show up as soon as their job is done. */
function useIncoming(): void {
  const client = useQueryClient();
  useEffect(() => {
    whenSlideArrives(() => void client.invalidateQueries({ queryKey: ["slides"] }));
    void adoptJobs();
  }, [client]);
}

function Waiting() {
  return (
    <div className={styles.grid} aria-busy="true" aria-label="Loading slides">
      {[1, 2, 3, 4].map((key) => (
        <Skeleton key={key} height={270} />
      ))}
    </div>
  );
}
