import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";
import { opener } from "./later/opener";

/** A dialog over the page. What had the focus before has it again when the dialog closes (PG119), also where it is only rendered while it is open. */
export function Dialog({ opened, children, ...props }: ModalProps) {
  const [opening, setOpening] = useState<{ opened: boolean; before: HTMLElement | null }>(CLOSED);
  if (opening.opened !== opened) setOpening(opened ? { opened, before: opener() } : CLOSED);
  return (
    <Modal opened={opened} returnFocus={false} closeButtonProps={{ "aria-label": t("common.close") }} {...props}>
      <FocusBack to={opening.before} />
      {children}
    </Modal>
  );
}

const CLOSED = { opened: false, before: null };

/** Lives as long as the dialog is open. */
function FocusBack({ to }: { readonly to: HTMLElement | null }) {
  const [before] = useState(to);
  useEffect(
    () => () => {
      const free = document.activeElement === document.body; // else something new has it, as another dialog
      if (free) before?.focus({ preventScroll: true });
    },
    [before],
  );
  return null;
}
