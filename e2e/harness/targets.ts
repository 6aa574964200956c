// Whether fingers reach what can be tapped: 44 pixels each way around the middle of every control.
import type { Page } from "@playwright/test";

/** Controls of the page that are on the screen and take less than 44 x 44 pixels, with how much they take. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const REACH = 21; // pixels to each side of the middle
    const belongs = (control: HTMLElement, at: Element | null): boolean =>
      at !== null &&
      (control.contains(at) || [...((control as HTMLInputElement).labels ?? [])].some((label) => label.contains(at)));
    /** Scrolled to the edge of what it lies in, or of the screen. */
    const isCut = (control: HTMLElement, x: number, y: number): boolean => {
      for (let box = control.parentElement; box; box = box.parentElement) {
        if (box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth) continue;
        const { left, top, right, bottom } = box.getBoundingClientRect();
        if (x - REACH < left || x + REACH > right || y - REACH < top || y + REACH > bottom) return true;
      }
      return false;
    };
    const all = document.querySelectorAll<HTMLElement>(
      "button, a[href], input, select, textarea, summary, [role=button], [role=menuitem], [role=option], [role=tab]",
    );
    return [...all].flatMap((control) => {
      if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
      if (
        getComputedStyle(control).display === "inline" ||
        control.matches(":disabled, [type=file], [aria-hidden=true]")
      )
        return [];
      const { left, top, width, height } = control.getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      if (isCut(control, x, y)) return [];
      if (!belongs(control, document.elementFromPoint(x, y))) return []; // scrolled away, or under something else
      const middle = [x, y] as const;
      const sides = (
        [
          [-REACH, 0],
          [REACH, 0],
          [0, -REACH],
          [0, REACH],
        ] as const
      ).filter(([dx, dy]) => {
        const at = document.elementFromPoint(middle[0] + dx, middle[1] + dy);
        return !belongs(control, at);
      });
      if (sides.length === 0) return [];
      const name = control.getAttribute("aria-label") ?? control.textContent.slice(0, 40);
      return [`${control.tagName} "${name}" ${Math.round(width)} x ${Math.round(height)}`];
    });
  });
