/**
 * Full screen and back; the element that had the focus keeps it. The whole document goes there, because dialogs, menus and hints
 * stand beside the page in it.
 */
export function toggleFullScreen(): void {
  const focused = document.activeElement as HTMLElement | null;
  const done = document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen();
  done.then(() => focused?.focus()).catch(() => undefined); // a browser may refuse
}
