import { Modal, type ModalProps } from "@mantine/core";
import { useEffect, useState } from "react";
import { t } from "@wavescope/core/i18n/i18n";

/** A dialog over the page. What had the focus before has it again when the dialog closes (WCAG 2.4.3), also where it is only rendered while it is open. */
export function Dialog({ children, ...props }: ModalProps) {
  return (
    <Modal returnFocus={false} closeButtonProps={{ "aria-label": t("common.close") }} {...props}>
      <FocusBack />
      {children}
    </Modal>
  );
}

/** Lives as long as the dialog is open. */
function FocusBack() {
  const [before] = useState(focused);
  useEffect(
    () => () => {
      const free = document.activeElement === document.body; // else something new has it, as another dialog
      if (free) before?.focus({ preventScroll: true });
    },
    [before],
  );
  return null;
}

/** What has the focus; the button of a menu instead of its item, which is gone when the dialog closes. */
function focused(): HTMLElement | null {
  const one = document.activeElement as HTMLElement | null;
  const menu = one?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  return menu ? document.getElementById(menu) : one;
}
