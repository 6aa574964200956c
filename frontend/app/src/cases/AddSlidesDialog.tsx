import { Alert, Button, Checkbox, Group, Loader, ScrollArea, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { type Case, addToCase } from "@wavescope/core/wire/catalog/casesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import styles from "../ui/page.module.css";
import { useSlides } from "../state/slideQueries";
import { useEditCase } from "./queries";
import { t } from "@wavescope/core/i18n/i18n";
import { Dialog } from "../ui/Dialog";

/** Slides of the catalog that are not in the case yet, to be chosen from. */
export function AddSlidesDialog({ slideCase, onClose }: { readonly slideCase: Case; readonly onClose: () => void }) {
  const [search, setSearch] = useState("");
  const [debouncedSearch] = useDebouncedValue(search.trim(), 200);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const query = useSlides(debouncedSearch);
  const add = useEditCase((slides: readonly string[]) => addToCase(slideCase.id, slides));
  const inside = new Set(slideCase.slides.map(({ id }) => id));
  const slides = (query.data?.pages.flatMap((page) => page.slides) ?? []).filter(({ id }) => !inside.has(id));
  return (
    <Dialog opened onClose={onClose} title={t("cases.addSlidesTo", { title: slideCase.title })} size="lg" centered>
      <TextInput
        type="search"
        aria-label={t("cases.searchSlidesToAdd")}
        placeholder={t("common.searchSlides")}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="sm"
        data-autofocus
      />
      <ScrollArea.Autosize mah="46vh">
        {query.isPending && <Loader size="sm" aria-label={t("common.loadingSlides")} />}
        <Checkbox.Group value={[...chosen]} onChange={setChosen} aria-label={t("cases.slidesToAdd")}>
          {slides.map(({ id, title, thumbnail }) => (
            <Checkbox
              key={id}
              value={id}
              py={4}
              styles={{ body: { alignItems: "center" }, labelWrapper: { minWidth: 0 } }}
              label={
                <span className={styles.choice}>
                  <img src={`${thumbnail}?max=64`} alt="" loading="lazy" />
                  <span className={styles.choiceTitle}>{title}</span>
                </span>
              }
            />
          ))}
        </Checkbox.Group>
        {query.data && slides.length === 0 && (
          <Text size="sm" c="dimmed">
            {t("cases.nothingToAdd")}
          </Text>
        )}
        {query.hasNextPage && (
          <Button
            variant="subtle"
            size="compact-sm"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("common.showMore")}
          </Button>
        )}
      </ScrollArea.Autosize>
      {add.error && <Alert color="red">{explain(add.error)}</Alert>}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button
          disabled={chosen.length === 0}
          loading={add.isPending}
          onClick={() => add.mutate(chosen, { onSuccess: onClose })}
        >
          {chosen.length > 0 ? t("cases.addCount", { count: chosen.length }) : t("common.add")}
        </Button>
      </Group>
    </Dialog>
  );
}
