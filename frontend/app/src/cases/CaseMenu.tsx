import { Menu } from "@mantine/core";
import { IconArrowMoveRight, IconFilter, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { CaseKind } from "@wavescope/core/wire/catalog/casesClient";
import { labelOf } from "@wavescope/core/wire/catalog/facetsClient";
import { t } from "@wavescope/core/i18n/i18n";
import { useMay } from "../accounts/account";
import { casePath, navigate } from "../state/router";
import { later } from "../ui/later/Later";
import type { MenuProps } from "../ui/later/LaterMenu";
import { OpenedMenu } from "../ui/later/OpenedMenu";

const NewCaseDialog = later(async () => (await import("./CaseDialogs")).NewCaseDialog);
const MoveDialog = later(async () => (await import("./MoveDialog")).MoveDialog);

interface Props extends MenuProps {
  readonly id: string;
  readonly title: string;
  readonly kind: CaseKind;
}

/** What can be done with a case in a list. */
export function CaseMenu({ id, title, kind, target }: Props) {
  const [dialog, setDialog] = useState<"move" | "new" | null>(null);
  const may = useMay("instructor");
  const close = (): void => setDialog(null);
  return (
    <>
      <OpenedMenu target={target}>
        <Menu.Item
          leftSection={<IconFilter size={14} />}
          onClick={() => navigate("/", { label: [labelOf("within", id)] })}
        >
          {t("cases.showBelow")}
        </Menu.Item>
        {may && (
          <Menu.Item leftSection={<IconArrowMoveRight size={14} />} onClick={() => setDialog("move")}>
            {t("cases.moveTo")}
          </Menu.Item>
        )}
        {may && kind === "collection" && (
          <Menu.Item leftSection={<IconPlus size={14} />} onClick={() => setDialog("new")}>
            {t("cases.newIn")}
          </Menu.Item>
        )}
      </OpenedMenu>
      {dialog === "move" && <MoveDialog id={id} title={title} onClose={close} />}
      {dialog === "new" && (
        <NewCaseDialog parent={id} onClose={close} onSaved={({ id: made }) => navigate(casePath(made))} />
      )}
    </>
  );
}
