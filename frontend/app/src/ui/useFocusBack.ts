import { useEffect, useState } from "react";

/** Gives the focus back to what had it before the component was rendered first: a dialog that is only rendered while it is open. */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
}
