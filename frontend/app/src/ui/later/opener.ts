/** The control that opens what comes later: by then a menu is closed, and its item has the focus no more. */
let last: HTMLElement | null = null;

const menuOf = (target: EventTarget | null): boolean => (target as Element).closest("[role=menu]") !== null;

addEventListener("focusin", ({ target }) => {
  last = menuOf(target)
    ? document.querySelector<HTMLElement>("[aria-haspopup=menu][aria-expanded=true]")
    : (target as HTMLElement);
});
addEventListener("focusout", ({ target, relatedTarget }) => {
  if (!relatedTarget && !menuOf(target)) last = null;
});

/** What has the focus, or the button of the menu whose item had it last; null: the page itself. */
export const opener = (): HTMLElement | null => (last?.isConnected ? last : null);
