/** Files that are dropped anywhere on a page that shows one at a time. */
import { useEffect, useRef, useState } from "react";

/** Calls with the first file; whether one is being dragged over the page. */
export function useDrop(open: (file: File) => void): boolean {
  const [dragged, setDragged] = useState(false);
  const current = useRef(open);
  useEffect(() => {
    current.current = open;
  });
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setDragged(true);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setDragged(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) current.current(file);
    };
    addEventListener("dragover", over, { signal });
    addEventListener("dragleave", (event) => event.relatedTarget === null && setDragged(false), { signal });
    addEventListener("drop", drop, { signal });
    return () => control.abort();
  }, []);
  return dragged;
}
