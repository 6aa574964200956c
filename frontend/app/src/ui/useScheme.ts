import { useCallback } from "react";
import { useComputedColorScheme, useMantineColorScheme } from "@mantine/core";

/** The page's colours: the scheme that is not shown now, and how to change to it. */
export function useScheme(): { readonly other: "light" | "dark"; readonly toggle: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  const toggle = useCallback(() => setColorScheme(other), [setColorScheme, other]);
  return { other, toggle };
}
