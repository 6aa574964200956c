import { ActionIcon, Alert, Badge, Card, Group, Text, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconCheck, IconLock, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { type Case, type CaseSlide, arrangeCase, removeFromCase } from "@wavescope/core/wire/catalog/casesClient";
import { explain } from "@wavescope/core/wire/http/explain";
import styles from "../ui/page.module.css";
import { useMay } from "../accounts/account";
import { useListFilter } from "../state/listFilter";
import { preparePressed } from "../microscope/preparing";
import { addressOf, follow, slidePath } from "../state/router";
import { moved, shownSlides } from "../ui/order";
import type { CaseProgress } from "./progress";
import { useEditCase } from "./queries";
import { KIND_NAMES } from "./kinds";
import { t } from "@wavescope/core/i18n/i18n";

/** The slides of a case in their order: dragged, or moved by the buttons. */
interface Props {
  readonly slideCase: Case;
  readonly progress: CaseProgress;
}

export function CaseSlides({ slideCase, progress }: Props) {
  const may = useMay("instructor");
  const [dragged, setDragged] = useState<number | null>(null);
  const arrange = useEditCase((slides: readonly CaseSlide[]) =>
    arrangeCase(
      slideCase.id,
      slides.map(({ id }) => id),
      slideCase.revision,
    ),
  );
  const remove = useEditCase((slide: string) => removeFromCase(slideCase.id, slide));
  const move = (from: number, to: number): void => {
    if (from !== to) arrange.mutate(moved(slideCase.slides, from, to));
  };
  const { filter } = useListFilter();
  const ordered = arrange.isPending ? arrange.variables : slideCase.slides;
  const slides = shownSlides(ordered, filter);
  const numbers = slideCase.slides.map(({ number }) => number); // of the places: slides that are not seen have some
  const movable = may && filter.sort === null && slides.length === ordered.length;
  return (
    <>
      {arrange.error && (
        <Alert color="yellow" mb="md">
          {explain(arrange.error)}
        </Alert>
      )}
      {remove.error && (
        <Alert color="red" mb="md">
          {explain(remove.error)}
        </Alert>
      )}
      <ol className={styles.grid} aria-label={t("cases.slidesOfCase")}>
        {slides.map((slide, index) => (
          <li
            key={slide.id}
            draggable={movable}
            data-testid="case-slide"
            data-slide-id={slide.id}
            data-dragged={dragged === index || undefined}
            onDragStart={() => setDragged(index)}
            onDragEnd={() => setDragged(null)}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={() => dragged !== null && move(dragged, index)}
          >
            <SlideOfCase
              slide={slide}
              seen={progress.seen.has(slide.id)}
              reviewed={progress.reviewed.has(slide.id)}
              index={ordered.indexOf(slide)}
              number={numbers[ordered.indexOf(slide)]!}
              movable={movable}
              last={ordered.length - 1}
              caseId={slideCase.id}
              onMove={(to) => move(index, to)}
              onRemove={() => remove.mutate(slide.id)}
            />
          </li>
        ))}
      </ol>
      {ordered.length === 0 && <Text c="dimmed">{t(may ? "cases.noSlidesYetAdd" : "cases.noSlidesYet")}</Text>}
      {slides.length === 0 && ordered.length > 0 && (
        <Text c="dimmed">
          {t("cases.noSlideMatches", { kind: KIND_NAMES[slideCase.kind], search: filter.search.trim() })}
        </Text>
      )}
    </>
  );
}

interface CaseSlideProps {
  readonly slide: CaseSlide;
  /** Whether the user has seen anything of it. */
  readonly seen: boolean;
  readonly reviewed: boolean;
  readonly number: number;
  readonly index: number;
  /** Whether all are shown in their own order, so that there is an earlier and a later. */
  readonly movable: boolean;
  readonly last: number;
  readonly caseId: string;
  readonly onMove: (to: number) => void;
  readonly onRemove: () => void;
}

function SlideOfCase({
  slide,
  seen,
  reviewed,
  index,
  number,
  movable,
  last,
  caseId,
  onMove,
  onRemove,
}: CaseSlideProps) {
  const path = slidePath(slide.id);
  const may = useMay("instructor");
  return (
    <Card component="article" withBorder padding={0} className={styles.card}>
      <a
        href={addressOf(path, { case: caseId })}
        onPointerDown={preparePressed}
        onClick={(event) => follow(event, path, { case: caseId })}
        className={styles.cardLink}
        draggable={false}
      >
        <div className={styles.thumbnail}>
          <img src={`${slide.thumbnail}?max=480`} alt="" loading="lazy" draggable={false} />
        </div>
        <div className={styles.cardText}>
          <Group gap={6} justify="space-between" wrap="nowrap">
            <Text fw={600} size="sm" lineClamp={1} title={slide.title}>
              {number}. {slide.title}
            </Text>
            {(seen || reviewed) && (
              <Badge
                color="green"
                variant={reviewed ? "filled" : "light"}
                tt="none"
                radius="sm"
                flex="none"
                leftSection={<IconCheck size={14} />}
                data-testid="slide-seen"
              >
                {t(reviewed ? "cases.reviewed" : "cases.seen")}
              </Badge>
            )}
          </Group>
          {may && !slide.shared && (
            <Tooltip label={t("cases.notSharedHint")} multiline w={260}>
              <Badge
                color="gray"
                variant="light"
                tt="none"
                size="lg"
                radius="sm"
                mt={4}
                leftSection={<IconLock size={14} />}
                data-testid="not-shared"
              >
                {t("cases.notShared")}
              </Badge>
            </Tooltip>
          )}
        </div>
      </a>
      {may && (
        <Group gap={4} className={styles.cardTools}>
          <Tool
            label={t("cases.moveEarlier", { title: slide.title })}
            disabled={!movable || index === 0}
            onClick={() => onMove(index - 1)}
            icon={<IconArrowLeft size={14} />}
          />
          <Tool
            label={t("cases.moveLater", { title: slide.title })}
            disabled={!movable || index === last}
            onClick={() => onMove(index + 1)}
            icon={<IconArrowRight size={14} />}
          />
          <Tool
            label={t("cases.removeFromCase", { title: slide.title })}
            disabled={false}
            onClick={onRemove}
            icon={<IconX size={14} />}
          />
        </Group>
      )}
    </Card>
  );
}

interface ToolProps {
  readonly label: string;
  readonly disabled: boolean;
  readonly onClick: () => void;
  readonly icon: React.ReactNode;
}

function Tool({ label, disabled, onClick, icon }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size="md" aria-label={label} disabled={disabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
