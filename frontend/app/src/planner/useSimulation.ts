import { useEffect, useRef, useState } from "react";
import { isAbort } from "@wavescope/core/wire/http/errors";
import { explain } from "@wavescope/core/wire/http/explain";
import { type SimulationOrder, simulate } from "@wavescope/core/wire/catalog/plannerClient";
import { t } from "@wavescope/core/i18n/i18n";
import type { SimulatedPoint } from "./Curve";

interface State {
  /** The settings that these points belong to. */
  readonly subject: string;
  /** Null: nothing runs. */
  readonly progress: number | null;
  readonly points: readonly SimulatedPoint[];
  readonly failure: string | null;
}

const IDLE: State = { subject: "", progress: null, points: [], failure: null };

/** One simulation: it begins with `start`, and ends with `cancel`, when the page is left, or when `subject` changes. */
export function useSimulation(subject: string) {
  const [state, setState] = useState(IDLE);
  const running = useRef<AbortController | null>(null);
  const cancel = (): void => running.current?.abort();
  useEffect(() => () => running.current?.abort(), [subject]);

  const start = async (order: SimulationOrder): Promise<void> => {
    cancel();
    const own = new AbortController();
    running.current = own;
    const change = (next: (before: State) => State): void => {
      if (running.current === own) setState(next);
    };
    change(() => ({ ...IDLE, subject, progress: 0 }));
    try {
      for await (const report of simulate(order, own.signal)) {
        if ("progress" in report) change((before) => ({ ...before, progress: report.progress }));
        else if ("failure" in report)
          change((before) => ({ ...before, failure: t("planner.failed", { reason: report.failure }) }));
        else if (report.metrics.response) {
          const slow = report.metrics.response_p95?.mean;
          const point = { at: report.at, ...report.metrics.response, slow };
          change((before) => ({ ...before, points: [...before.points, point] }));
        }
      }
    } catch (error) {
      if (!isAbort(error)) change((before) => ({ ...before, failure: explain(error) }));
    }
    change((before) => ({ ...before, progress: null }));
  };
  const shown = state.subject === subject ? state : IDLE; // points of other settings are not of this curve
  return { ...shown, start, cancel };
}
