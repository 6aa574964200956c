/** A move is in the address a moment later. A page that is left before that passes it on to the next page. */

const LEFT = "wavescope.left";

const here = (): string => location.pathname + location.search + location.hash;

/** Notes where the view is, as the page goes. */
export function saveView(address: string): void {
  try {
    if (address !== here()) sessionStorage.setItem(LEFT, JSON.stringify([here(), address]));
  } catch {
    return; // a browser that forbids storage
  }
}

/** Goes on from there, if the same page is loaded again or come back to; before anything reads the address. */
export function restoreView(): void {
  try {
    const [before, address] = JSON.parse(sessionStorage.getItem(LEFT) ?? "[]") as (string | undefined)[];
    sessionStorage.removeItem(LEFT);
    const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    if (address !== undefined && before === here() && loaded?.type !== "navigate")
      history.replaceState(history.state, "", address);
  } catch {
    return;
  }
}
