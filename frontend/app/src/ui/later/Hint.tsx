import type { TooltipProps } from "@mantine/core";
import type { ReactElement } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { deferred } from "./deferred";

const tooltip = createStore<{ readonly Tooltip: typeof import("./Tooltip").Tooltip | null }>(() => ({ Tooltip: null }));

deferred(
  async () => {
    const { Tooltip } = await import("./Tooltip");
    void focusElsewhere().then(() => tooltip.setState({ Tooltip }));
  },
  { ahead: true },
);

/**
 * Mantine's Tooltip for what is rendered with the first picture: its code comes afterwards. React then makes the elements anew,
 * so this waits while one of them may have the focus.
 */
export function Hint({ children, ...props }: TooltipProps & { readonly children: ReactElement }) {
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
