import type { ReactElement } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import type { KeyTooltipProps } from "../keys/KeyTooltip";
import { deferred } from "./deferred";

const tooltip = createStore<{ readonly Tooltip: typeof import("./Tooltip").KeyTooltip | null }>(() => ({
  Tooltip: null,
}));

deferred(
  async () => {
    const { KeyTooltip } = await import("./Tooltip");
    void focusElsewhere().then(() => tooltip.setState({ Tooltip: KeyTooltip }));
  },
  { ahead: true },
);

/**
 * The tooltip of what is rendered with the first picture: its code comes afterwards. React then makes the elements anew,
 * so this waits while one of them may have the focus.
 */
export function Hint({ children, ...props }: KeyTooltipProps & { readonly children: ReactElement }) {
  const { Tooltip } = useStore(tooltip);
  return Tooltip ? <Tooltip {...props}>{children}</Tooltip> : children;
}

const onControl = (): boolean => document.activeElement?.matches("button, a, [role=img], [role=status]") ?? false;

/** Resolves as soon as no control of the page has the focus. */
async function focusElsewhere(): Promise<void> {
  while (onControl()) {
    await new Promise((resolve) => document.addEventListener("focusout", resolve, { once: true }));
    await new Promise((resolve) => setTimeout(resolve)); // until the focus is where it goes
  }
}
