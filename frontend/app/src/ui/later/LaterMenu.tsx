import { type ReactElement, cloneElement, useState } from "react";
import type { LaterComponent } from "./Later";

/** What a menu gets: the button that opens it. */
export interface MenuProps {
  readonly target: ReactElement<object>;
}

interface Props<P> {
  readonly target: ReactElement<object>;
  readonly menu: LaterComponent<P & MenuProps>;
  readonly props: P;
}

/** A button whose menu comes with the first press, which opens it as soon as it is there; it may come when the pointer does. */
export function LaterMenu<P extends object>({ target, menu: Menu, props }: Props<P>) {
  const [asked, setAsked] = useState(false);
  if (asked) return <Menu {...props} target={target} />;
  const show = (): void => setAsked(true); // also where it did not come: its place says so
  return cloneElement(target, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: () => void Menu.load().catch(() => undefined),
    onClick: () => void Menu.load().then(show, show),
  } as object);
}
