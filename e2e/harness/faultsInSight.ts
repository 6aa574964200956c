// What a person could not press or read in the window as it is.

/**
 * Runs in the page. Answers a line for each fault: the page scrolls sideways; a control lies beyond the window or what clips it, or another thing covers its middle;
 * the words of a button, a label, a tab, a chip, an item of a menu or an empty field are cut off (not titles that end in "…"). What is scrolled out of sight in a panel of its own is no fault; nor is what a dialog or menu covers.
 */
export function faultsInSight(): string[] {
  const found: string[] = [];
  const CONTROLS =
    "button, a[href], input:not([type=hidden]):not([type=file]), select, textarea, [role=button], [role=slider], [role=menuitem], [role=option], [role=tab], [role=switch]";
  const WORDS =
    "[role=menuitem], [role=tab], [role=option], [role=columnheader], label, legend, th, dt, summary, .mantine-Badge-root";
  /** Words of the page alone, no titles that users gave. */
  const WHOLE = ".mantine-SegmentedControl-label, .mantine-Badge-root, legend, th, dt, summary";
  const nameOf = (one: Element): string => {
    const words =
      one.getAttribute("aria-label") ?? (one as HTMLInputElement).labels?.[0]?.textContent ?? one.textContent ?? "";
    const text =
      words.trim().slice(0, 40) ||
      one.getAttribute("placeholder") ||
      one.getAttribute("data-testid") ||
      String(one.getAttribute("class"));
    return `${one.tagName.toLowerCase()} “${text}”`;
  };
  const seen = (one: Element): boolean =>
    one.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !one.closest("[inert], [aria-hidden=true]");
  /** A ticked box or a switch is drawn by its label. */
  const drawn = (one: Element): Element => {
    const { width, height } = one.getBoundingClientRect();
    if (one instanceof HTMLInputElement && (width <= 2 || height <= 2 || getComputedStyle(one).opacity === "0"))
      return one.labels?.[0] ?? one;
    return one;
  };
  const dialogs = [...document.querySelectorAll("[role=dialog][aria-modal=true]")].filter(seen);
  const within = dialogs.at(-1) ?? document.body;
  const OVERLAPPING =
    "[role=dialog], [role=menu], [role=listbox], [role=tooltip], [data-testid=selection-bar], .mantine-Notification-root, .mantine-Popover-dropdown, .mantine-Combobox-dropdown";
  const scrolls = (style: string, inner: number, outer: number): boolean => /auto|scroll/.test(style) && inner > outer;

  /** "sight": all there; "scrolled": to be scrolled to; otherwise what is wrong. */
  const placeOf = (one: Element): string => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    let rolls = false; // a part at the edge of what is scrolled may be cut by everything around that, too
    for (let around = one.parentElement; around && around !== document.body; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.overflowX === "visible" && style.overflowY === "visible") continue;
      const frame = around.getBoundingClientRect();
      const [beside, above] = [x < frame.left || x > frame.right, y < frame.top || y > frame.bottom];
      const [partly, partlyAbove] = [
        box.left < frame.left - 1 || box.right > frame.right + 1,
        box.top < frame.top - 1 || box.bottom > frame.bottom + 1,
      ];
      const [across, down] = [
        scrolls(style.overflowX, around.scrollWidth, around.clientWidth),
        scrolls(style.overflowY, around.scrollHeight, around.clientHeight),
      ];
      if ((beside && across) || (above && down)) return "scrolled";
      rolls ||= across || down;
      if (!rolls && (partly || partlyAbove)) return "is cut off by what is around it";
    }
    const page = document.documentElement;
    if ((y < 0 || y > innerHeight - 1) && page.scrollHeight > page.clientHeight) return "scrolled";
    if (
      (!rolls && (box.left < -1 || box.right > innerWidth + 1)) ||
      (box.top < -1 && scrollY === 0) ||
      (box.bottom > innerHeight + 1 && page.scrollHeight <= page.clientHeight)
    )
      return "is beyond the window";
    return "sight";
  };

  /** Pixels by which words of it are longer than their box; those that end in dots only where `dots` are a fault. */
  const cutParts = (one: Element, dots = false): number[] =>
    [one, ...one.querySelectorAll("*")].flatMap((part) => {
      if (!(part instanceof HTMLElement) || !part.textContent?.trim() || part.clientWidth <= 2) return [];
      const { overflowX, textOverflow } = getComputedStyle(part);
      const over = part.scrollWidth - part.clientWidth;
      return over > 1 && overflowX !== "visible" && (dots || textOverflow !== "ellipsis") ? [over] : [];
    });
  /** Words of letters alone that go on in another line without a hyphen. */
  const brokenWords = (one: Element): string[] => {
    const texts = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    const range = document.createRange();
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { 0: word, index } of text.textContent!.matchAll(/(?<![^\s(„“])\p{L}{4,}(?![^\s.,:;!?)”“])/gu)) {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const [first, ...others] = range.getClientRects();
        if (others.some(({ top, width }) => width > 0 && top > first!.bottom - 2)) broken.push(word);
      }
    return broken;
  };
  const brush = document.createElement("canvas").getContext("2d")!;
  /** Pixels by which the placeholder of an empty field, or what is chosen in a list, is longer than the field. */
  const cutInField = (one: Element): number => {
    let text = "";
    if (one instanceof HTMLSelectElement) text = one.selectedOptions[0]?.text ?? "";
    else if (
      one instanceof HTMLInputElement &&
      (!one.value || (one.readOnly && one.matches("[aria-haspopup=listbox]")))
    )
      text = one.value || one.placeholder;
    const { font, paddingLeft, paddingRight } = getComputedStyle(one);
    brush.font = font;
    return brush.measureText(text).width - one.clientWidth + parseFloat(paddingLeft) + parseFloat(paddingRight);
  };

  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) found.push(`the page scrolls sideways by ${over} px`);
  for (const control of within.querySelectorAll(CONTROLS)) {
    const one = drawn(control);
    const box = one.getBoundingClientRect();
    if (one.closest("[data-testid^=pins-]")) continue; // they lie in the picture and move with it
    if (!seen(one) || box.width <= 2 || box.height <= 2) continue;
    const place = placeOf(one);
    if (place === "scrolled") continue;
    if (place !== "sight") {
      found.push(`${nameOf(control)} ${place}`);
      continue;
    }
    const line = one.getClientRects()[0] ?? box; // words may go on in another line
    const hit = document.elementFromPoint(line.left + line.width / 2, line.top + line.height / 2);
    const own = hit && (one.contains(hit) || control.contains(hit) || hit.closest("label")?.contains(one));
    const through = getComputedStyle(one).pointerEvents === "none" || control.matches(":disabled, [data-disabled]");
    const head = hit?.closest("header"); // it stays where a page is scrolled
    const below = scrollY > 0 && head && getComputedStyle(head).position === "sticky";
    if (
      !own &&
      !(below && !head.contains(one)) &&
      !(through && hit?.contains(one)) &&
      !(hit?.closest(OVERLAPPING) && !hit.closest(OVERLAPPING)!.contains(one))
    ) {
      found.push(`${nameOf(control)} is covered by ${hit ? nameOf(hit) : "nothing that can be pressed"}`);
    }
    const field = control.matches("input, select") ? cutInField(control) : 0;
    if (field > 1) found.push(`${nameOf(control)} is cut off: ${Math.round(field)} px of what it says`);
    if (!control.matches("button, a[href]")) continue;
    const shown = [control, ...control.querySelectorAll("svg, img, canvas, span, div")].some((part) =>
      part.matches("svg, img, canvas") ? part.checkVisibility() : (part as HTMLElement).innerText?.trim(),
    );
    if (!shown) found.push(`${nameOf(control)} shows neither words nor a picture`);
    for (const cut of cutParts(control)) found.push(`${nameOf(control)} is cut off: ${cut} px of its words`);
  }
  for (const card of within.querySelectorAll("article"))
    if (card.scrollHeight > card.clientHeight + 1 && getComputedStyle(card).overflowY === "hidden")
      found.push(`card “${card.textContent}” is cut off: ${card.scrollHeight - card.clientHeight} px at its end`);
  for (const words of within.querySelectorAll(WORDS))
    if (seen(words) && placeOf(words) !== "scrolled")
      for (const cut of cutParts(words, words.matches(WHOLE)))
        found.push(`${nameOf(words)} is cut off: ${cut} px of its words`);
  for (const words of within.querySelectorAll(`${WORDS}, button, a[href], h1, h2, h3, h4`))
    if (seen(words)) for (const word of brokenWords(words)) found.push(`“${word}” is broken within the word`);
  return [...new Set(found)];
}
