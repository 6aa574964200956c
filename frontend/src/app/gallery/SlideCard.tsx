import { ActionIcon, Card, Menu, Text } from "@mantine/core";
import { IconDots, IconPencil, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import type { SlideSummary } from "../../wire/manifest";
import { magnificationLabel, slideMagnification } from "../../viewer/scale";
import { navigate, slidePath } from "../router";
import { bytesLabel, sizeLabel } from "../wording";
import styles from "./gallery.module.css";

interface Props {
  readonly slide: SlideSummary;
  readonly onRename: () => void;
  readonly onDelete: () => void;
}

export function SlideCard({ slide, onRename, onDelete }: Props) {
  const path = slidePath(slide.id);
  const open = (event: React.MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    navigate(path);
  };
  return (
    <Card component="article" withBorder padding={0} className={styles.card} data-testid="slide-card" data-slide-id={slide.id}>
      <a href={path} onClick={open} className={styles.cardLink}>
        <Thumbnail slide={slide} />
        <div className={styles.cardText}>
          <Text fw={600} size="sm" lineClamp={1} title={slide.title}>
            {slide.title}
          </Text>
          <Text size="xs" c="dimmed" className={styles.figures}>
            {factsOf(slide).join(" · ")}
          </Text>
        </div>
      </a>
      <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" className={styles.cardMenu} aria-label={`More for ${slide.title}`}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={onRename}>
            Rename
          </Menu.Item>
          <Menu.Item className="failure" leftSection={<IconTrash size={14} />} onClick={onDelete}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Card>
  );
}

function Thumbnail({ slide }: { readonly slide: SlideSummary }) {
  const [failed, setFailed] = useState(false);
  const source = `${slide.thumbnail}?max=480`;
  return (
    <div className={styles.thumbnail}>
      {failed ? (
        <Text size="xs" c="dimmed">
          no preview
        </Text>
      ) : (
        <img src={source} alt="" loading="lazy" decoding="async" onError={() => setFailed(true)} />
      )}
    </div>
  );
}

function factsOf(slide: SlideSummary): string[] {
  const facts = [sizeLabel(slide.width, slide.height)];
  const magnification = slideMagnification(slide.mpp?.x ?? null, slide.objectivePower);
  if (magnification !== null) facts.push(magnificationLabel(magnification));
  if (slide.planes > 1) facts.push(`${slide.planes} planes`);
  if (slide.profile === "lossless") facts.push("lossless");
  if (slide.bytes !== null) facts.push(bytesLabel(slide.bytes));
  return facts;
}
