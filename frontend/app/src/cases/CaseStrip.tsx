import { ActionIcon, Text } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { Case } from "@wavescope/core/wire/catalog/casesClient";
import { preparePressed } from "../microscope/preparing";
import { follow, addressOf, slidePath } from "../state/router";
import styles from "./cases.module.css";
import { usePrefetch } from "./prefetch";
import { KeyTooltip } from "../ui/keys/KeyTooltip";
import { neighbour } from "../ui/order";
import { stepTo, useOpenCase } from "./stepping";
import { t } from "@wavescope/core/i18n/i18n";

/** The slides of the case that is being stepped through, below the picture; nothing where there is none. */
export function CaseStrip({ slideId }: { readonly slideId: string }) {
  const { awaited, open } = useOpenCase();
  if (awaited) return <div className={styles.strip} aria-busy="true" />; // so that the picture keeps its size
  if (!open || open.slides.length < 2) return null;
  return <Strip slideCase={open} slideId={slideId} />;
}

function Strip({ slideCase, slideId }: { readonly slideCase: Case; readonly slideId: string }) {
  const previous = neighbour(slideCase.slides, slideId, -1);
  const next = neighbour(slideCase.slides, slideId, 1);
  const current = useRef<HTMLAnchorElement>(null);
  usePrefetch(next, previous);
  useEffect(() => {
    current.current?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [slideId]);
  const number = slideCase.slides.find(({ id }) => id === slideId)?.number ?? 0;
  return (
    <nav className={styles.strip} aria-label={t("cases.slidesOf", { title: slideCase.title })} data-testid="case-strip">
      <KeyTooltip label={t("cases.previousSlide")} commands={["case.previous"]}>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={!previous}
          onClick={() => stepTo(previous, slideCase.id)}
          aria-label={t("cases.previousSlide")}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
      </KeyTooltip>
      <Text size="xs" c="dimmed" className={styles.index}>
        {number} / {slideCase.slides.at(-1)?.number}
      </Text>
      <ol className={styles.slides}>
        {slideCase.slides.map(({ id, title, thumbnail }) => (
          <li key={id}>
            <a
              ref={id === slideId ? current : undefined}
              href={addressOf(slidePath(id), { case: slideCase.id })}
              onPointerDown={preparePressed}
              onClick={(event) => follow(event, slidePath(id), { case: slideCase.id })}
              aria-current={id === slideId ? "page" : undefined}
              title={title}
              className={styles.slide}
            >
              <img src={`${thumbnail}?max=128`} alt={title} loading="lazy" />
            </a>
          </li>
        ))}
      </ol>
      <KeyTooltip label={t("cases.nextSlide")} commands={["case.next"]}>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={!next}
          onClick={() => stepTo(next, slideCase.id)}
          aria-label={t("cases.nextSlide")}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </KeyTooltip>
    </nav>
  );
}
