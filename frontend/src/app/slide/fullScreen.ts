/** Full screen and back; the element that had the focus keeps it. */
export function toggleFullScreen(page: HTMLElement | null): void {
  const focused = document.activeElement as HTMLElement | null;
  const done = document.fullscreenElement ? document.exitFullscreen() : page?.requestFullscreen();
  done?.then(() => focused?.focus()).catch(() => undefined);
}
