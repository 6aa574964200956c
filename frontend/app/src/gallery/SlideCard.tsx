import { ActionIcon, Checkbox, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { Fragment, useState } from "react";
import { useStore } from "zustand";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { magnificationText } from "@wavescope/viewer/navigation/scale";
import { useMay } from "../accounts/account";
import { preparePressed } from "../microscope/preparing";
import { addressOf, follow, slidePath } from "../state/router";
import { dateLabel } from "../ui/dates";
import { later } from "../ui/later/Later";
import { LaterMenu } from "../ui/later/LaterMenu";
import { bytesLabel, sizeLabel } from "../ui/format";
import { gallery, toggleChosen } from "./gallery";
import { SUGGESTED } from "./tags";
import galleryStyles from "./gallery.module.css";
import gridStyles from "./slideGrid.module.css";
import styles from "../ui/page.module.css";
import { t } from "@wavescope/core/i18n/i18n";

const SlideMenu = later(async () => (await import("./SlideMenu")).SlideMenu);
const SlideLabel = later(async () => (await import("./SlideLabel")).SlideLabel);

export type CardDialog = "rename" | "tags" | "case";

interface Props {
  readonly slide: SlideSummary;
  /** As a row of the list. */
  readonly list?: boolean;
  /** With the picture of its label, for those who may see it. */
  readonly label?: boolean;
  readonly onDialog: (kind: CardDialog, slide: SlideSummary) => void;
}

export function SlideCard({ slide, list = false, label = false, onDialog }: Props) {
  const path = slidePath(slide.id);
  const chosen = useStore(gallery, (state) => state.chosen.some(({ id }) => id === slide.id));
  const tags = Object.values(slide.tags);
  return (
    <article
      className={styles.card}
      data-chosen={chosen || undefined}
      data-testid="slide-card"
      data-slide-id={slide.id}
    >
      <a
        href={addressOf(path)}
        onPointerDown={preparePressed}
        onClick={(event) => follow(event, path)}
        className={list ? `${styles.cardLink} ${gridStyles.row}` : styles.cardLink}
      >
        {label && (list || slide.editable) ? (
          <div className={gridStyles.labelled}>
            <Thumbnail slide={slide} />
            {slide.editable && <SlideLabel slide={slide} />}
          </div>
        ) : (
          <Thumbnail slide={slide} />
        )}
        {list ? (
          <Columns slide={slide} />
        ) : (
          <div className={styles.cardText}>
            <Text fw={600} size="sm" lineClamp={1} title={slide.title}>
              {slide.title}
            </Text>
            <Text
              size="xs"
              c="dimmed"
              lineClamp={tags.length > 0 ? 1 : 2}
              className={galleryStyles.figures}
              title={factsOf(slide).join(" · ")}
            >
              {factsOf(slide).map((fact, i) => (
                <Fragment key={fact}>
                  {i > 0 && " · "}
                  <span className={galleryStyles.figure}>{fact}</span>
                </Fragment>
              ))}
            </Text>
            {tags.length > 0 && (
              <Text size="xs" lineClamp={1} className={galleryStyles.tags} title={tags.join(", ")}>
                {tags.join(" · ")}
              </Text>
            )}
          </div>
        )}
      </a>
      <Checkbox
        className={styles.cardChoice}
        size="24px"
        checked={chosen}
        onChange={() => toggleChosen(slide)}
        aria-label={t("gallery.selectSlide", { title: slide.title })}
      />
      <MoreButton slide={slide} onDialog={onDialog} />
    </article>
  );
}

/** What may be done with the slide, for those who may do any of it. */
function MoreButton({ slide, onDialog }: Pick<Props, "slide" | "onDialog">) {
  if (!useMay("instructor")) return null;
  const target = (
    <ActionIcon variant="default" className={styles.cardMenu} aria-label={t("gallery.moreFor", { title: slide.title })}>
      <IconDots size={16} />
    </ActionIcon>
  );
  return <LaterMenu target={target} menu={SlideMenu} props={{ slide, onDialog }} />;
}

/** The columns of ColumnHeads. */
function Columns({ slide }: { readonly slide: SlideSummary }) {
  return (
    <div className={gridStyles.columns}>
      <Text span fw={600} size="sm" title={slide.title}>
        {slide.title}
      </Text>
      {SUGGESTED.map((key) => (
        <span key={key}>{slide.tags[key]}</span>
      ))}
      <span>{slide.created !== null && dateLabel(slide.created)}</span>
    </div>
  );
}

function Thumbnail({ slide }: { readonly slide: SlideSummary }) {
  const [failed, setFailed] = useState(false);
  const source = `${slide.thumbnail}?max=480`;
  return (
    <div className={styles.thumbnail}>
      {failed ? (
        <Text size="xs" c="dimmed">
          {t("gallery.noPreview")}
        </Text>
      ) : (
        <img src={source} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
      )}
    </div>
  );
}

function factsOf(slide: SlideSummary): string[] {
  const facts = [sizeLabel(slide.width, slide.height), magnificationText(slide.mpp?.x ?? null, slide.objectivePower)];
  if (slide.planes > 1) facts.push(t("common.focalPlanes", { count: slide.planes }));
  if (slide.profile === "lossless") facts.push(t("gallery.lossless"));
  if (slide.bytes !== null) facts.push(bytesLabel(slide.bytes));
  return facts;
}
