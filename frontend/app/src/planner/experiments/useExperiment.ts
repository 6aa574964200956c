import { useEffect, useRef, useState } from "react";
import { type ExperimentOrder, type ExperimentResult, runExperiment } from "@wavescope/core/wire/catalog/plannerClient";
import { isAbort } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";

interface State {
  /** Null: nothing runs. */
  readonly progress: number | null;
  readonly result: ExperimentResult | null;
  readonly finished: number;
  readonly trials: number;
  readonly failure: string | null;
}

const IDLE: State = { progress: null, result: null, finished: 0, trials: 0, failure: null };

/** One experiment: it ends with `cancel`, when the page is left, or when another one is chosen (`subject`). What it has
 * found until then stays. */
export function useExperiment(subject: string) {
  const [state, setState] = useState({ ...IDLE, subject });
  const running = useRef<AbortController | null>(null);
  const cancel = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), [subject]);

  const start = async (order: ExperimentOrder): Promise<void> => {
    cancel();
    const own = new AbortController();
    running.current = own;
    const change = (next: Partial<State>): void => {
      if (running.current === own) setState((before) => ({ ...before, ...next }));
    };
    setState({ ...IDLE, subject, progress: 0 });
    try {
      for await (const report of runExperiment(order, own.signal)) {
        if ("failure" in report) change({ failure: report.failure });
        else change(report);
      }
    } catch (error) {
      if (!isAbort(error)) change({ failure: explain(error) });
    }
    change({ progress: null });
  };
  return { ...(state.subject === subject ? state : IDLE), start, cancel };
}
