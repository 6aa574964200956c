/**
 * Touch mode (PG86). The styles ask for `(pointer: coarse)`; where the user decides instead, that condition is replaced in the sheets of
 * the page, those that are loaded later too.
 */

const condition = (feature: string, value: string): string => `(${feature}: ${value})`;

/** No style of the page has the last two by itself. */
const CONDITIONS = {
  auto: condition("pointer", "coarse"),
  on: condition("min-height", "0px"),
  off: condition("max-height", "0px"),
};

let chosen = CONDITIONS.auto;

export function setTouch(touch: keyof typeof CONDITIONS): void {
  chosen = CONDITIONS[touch];
  for (const sheet of document.styleSheets) rewrite(sheet);
}

document.addEventListener(
  "load",
  ({ target }) => target instanceof HTMLLinkElement && target.sheet && rewrite(target.sheet),
  { capture: true },
);

function rewrite({ cssRules }: { readonly cssRules: CSSRuleList }): void {
  for (const rule of cssRules) {
    if (rule instanceof CSSMediaRule) {
      const now = rule.media.mediaText;
      const text = Object.values(CONDITIONS).reduce((all, one) => all.replaceAll(one, chosen), now);
      if (text !== now) rule.media.mediaText = text;
    }
    if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule) rewrite(rule);
  }
}
