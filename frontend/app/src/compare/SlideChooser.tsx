import { Button, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { useStore } from "zustand";
import { magnificationText } from "@wavescope/viewer/navigation/scale";
import { explain } from "@wavescope/core/wire/http/explain";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { errorOf } from "../state/queries";
import { useSlides } from "../state/slideQueries";
import { sizeLabel } from "../ui/format";
import { type Choosing, chooser, stopChoosing } from "./chooser";
import styles from "./chooser.module.css";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

/** Asks for a slide, found by its name and its picture. */
export function SlideChooser() {
  const choosing = useStore(chooser, (state) => state.choosing);
  return (
    <Dialog opened={choosing !== null} onClose={stopChoosing} title={choosing?.title} size="lg">
      {choosing && <Choice choosing={choosing} />}
    </Dialog>
  );
}

function Choice({ choosing }: { readonly choosing: Choosing }) {
  const [search, setSearch] = useState("");
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200);
  const query = useSlides(debouncedSearch);
  const slides = query.data?.pages.flatMap((page) => page.slides) ?? [];
  const error = errorOf(query);
  const choose = (id: string): void => {
    stopChoosing();
    choosing.choose(id);
  };
  return (
    <>
      <TextInput
        type="search"
        aria-label={t("common.searchSlides")}
        placeholder={t("common.searchSlides")}
        leftSection={<IconSearch size={16} />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        data-autofocus
      />
      <ul className={styles.list} data-testid="slide-choices">
        {slides.map((slide) => (
          <li key={slide.id}>
            <button type="button" className={styles.choice} onClick={() => choose(slide.id)} data-slide-id={slide.id}>
              <img src={`${slide.thumbnail}?max=160`} alt="" loading="lazy" className={styles.thumbnail} />
              <span>
                <Text component="span" display="block" fw={600} size="sm">
                  {slide.title}
                </Text>
                <Text component="span" size="xs" c="dimmed">
                  {factsOf(slide)}
                </Text>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {query.data && slides.length === 0 && (
        <Text c="dimmed">{t("compare.noSlideMatches", { asked: debouncedSearch })}</Text>
      )}
      {error && <Text className="failure">{explain(error)}</Text>}
      {query.hasNextPage && (
        <Button variant="default" mt="sm" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("common.showMore")}
        </Button>
      )}
    </>
  );
}

function factsOf(slide: SlideSummary): string {
  const facts = [sizeLabel(slide.width, slide.height), magnificationText(slide.mpp?.x ?? null, slide.objectivePower)];
  if (slide.planes > 1) facts.push(t("common.focalPlanes", { count: slide.planes }));
  return facts.join(" · ");
}
