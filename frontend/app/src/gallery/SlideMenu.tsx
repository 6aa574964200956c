import { Menu } from "@mantine/core";
import { IconFolderPlus, IconPencil, IconTags, IconTrash } from "@tabler/icons-react";
import type { SlideSummary } from "@wavescope/core/wire/slides/manifest";
import { t } from "@wavescope/core/i18n/i18n";
import { useDeleteWithUndo } from "../trash/undo";
import type { MenuProps } from "../ui/later/LaterMenu";
import { OpenedMenu } from "../ui/later/OpenedMenu";
import type { CardDialog } from "./SlideCard";

interface Props extends MenuProps {
  readonly slide: SlideSummary;
  readonly onDialog: (kind: CardDialog, slide: SlideSummary) => void;
}

/** What may be done with the slide: less with the slides of others than with one's own. */
export function SlideMenu({ slide, onDialog, target }: Props) {
  const remove = useDeleteWithUndo();
  return (
    <OpenedMenu target={target}>
      {slide.editable && (
        <>
          <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => onDialog("rename", slide)}>
            {t("common.rename")}
          </Menu.Item>
          <Menu.Item leftSection={<IconTags size={14} />} onClick={() => onDialog("tags", slide)}>
            {t("gallery.tags")}
          </Menu.Item>
        </>
      )}
      <Menu.Item leftSection={<IconFolderPlus size={14} />} onClick={() => onDialog("case", slide)}>
        {t("common.addToCase")}
      </Menu.Item>
      {slide.editable && (
        <Menu.Item className="failure" leftSection={<IconTrash size={14} />} onClick={() => remove([slide])}>
          {t("common.delete")}
        </Menu.Item>
      )}
    </OpenedMenu>
  );
}
