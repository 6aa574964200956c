import { useEffect, useEffectEvent, useState } from "react";

const REST_MILLISECONDS = 200;

/** The text of a field whose value lives elsewhere (in the address): what is typed is handed on when the typing rests, and is replaced when the value changes there. */
export function useTyped(settled: string, settle: (text: string) => void): [string, (text: string) => void] {
  const [draft, setDraft] = useState<string | null>(null);
  const handOn = useEffectEvent(settle);
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => {
      handOn(draft);
      setDraft(null);
    }, REST_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [draft]);
  return [draft ?? settled, setDraft];
}
