import { Menu } from "@mantine/core";
import { type ReactNode, cloneElement, useEffect, useRef, useState } from "react";
import type { MenuProps } from "./LaterMenu";

/** A menu that opens when it comes, as its button was pressed before; the focus goes back to the button. */
export function OpenedMenu({ target, children }: MenuProps & { readonly children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    const frame = requestAnimationFrame(() => setOpened(true)); // the button has the focus before the menu takes it
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button } as object)}</Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
