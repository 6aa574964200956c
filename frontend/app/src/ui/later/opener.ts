/** The control that opens what comes later: by then a menu is closed, and its item has the focus no more. */
let last: HTMLElement | null = null;

const inMenu = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("[role=menu]") !== null;

if (typeof window !== "undefined") {
  addEventListener("focusin", ({ target }) => {
    const menu = "[aria-haspopup=menu][aria-expanded=true]";
    if (inMenu(target)) last = document.querySelector<HTMLElement>(menu);
    else last = target instanceof HTMLElement ? target : null;
  });
  addEventListener("focusout", ({ target, relatedTarget }) => {
    if (!relatedTarget && !inMenu(target)) last = null;
  });
}

/** What has the focus, or the button of the menu whose item had it last; null: the page itself. */
export const opener = (): HTMLElement | null => (last?.isConnected ? last : null);
