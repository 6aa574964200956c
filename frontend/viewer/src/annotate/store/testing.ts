/** Contents and a service of annotations in memory, for tests; the service's side is written from annotations.md. */
import { line, point } from "@wavescope/core/geometry/shape";
import type {
  AnnotationClient,
  Change,
  Color,
  Content,
  Outcome,
  Stored,
} from "@wavescope/core/wire/annotations/annotations";
import { OfflineError, ProblemError } from "@wavescope/core/wire/http/errors";
import type { Clock } from "./autosave";
import { sameContent } from "./reconcile";

export function someContent(x: number, more: Partial<Content> = {}): Content {
  return { shape: point("point", x, 0), z: 0, name: "", text: "", class: "", color: null, foreign: {}, ...more };
}

export const someLine = (coordinates: number[]): Content => someContent(0, { shape: line("line", coordinates) });

/** AN5 to AN8, AN45. */
export class MemoryService implements AnnotationClient {
  readonly objects = new Map<string, Stored & { sequence: number }>();
  sequence = 0;
  offline = false;
  /** Takes a change and loses the answer. */
  losesResponses = false;
  refused = new Set<string>();
  editable = true;
  author = "Ada";
  calls = 0;

  async change(changes: readonly Change[]): Promise<readonly Outcome[]> {
    this.calls += 1;
    await Promise.resolve();
    if (this.offline) throw new OfflineError("no answer");
    if (changes.some(({ id }) => this.refused.has(id)))
      throw new ProblemError("invalid-parameter", 422, "Invalid", "not like that");
    const outcomes = changes.map((change) => this.apply(change));
    if (this.losesResponses) throw new OfflineError("the answer is lost");
    return outcomes;
  }

  apply({ id, revision, content }: Change, name = "me"): Outcome {
    const stored = this.objects.get(id);
    if (!stored && content === null) return { id, status: "saved", annotation: null };
    if (stored && sameContent(stored.content, content)) return { id, status: "saved", annotation: stored };
    if (stored && stored.locked !== "") return { id, status: "locked", annotation: stored };
    if ((stored?.revision ?? 0) !== revision) return { id, status: "conflict", annotation: stored ?? null };
    this.sequence += 1;
    const next = {
      id,
      revision: revision + 1,
      author: stored?.author ?? name,
      editor: name,
      created: stored?.created ?? "",
      updated: "",
      locked: "",
      imported: stored?.imported ?? "",
      content,
      sequence: this.sequence,
    };
    this.objects.set(id, next);
    return { id, status: "saved", annotation: next };
  }

  lock: AnnotationClient["lock"] = (id, locked) => {
    if (this.offline) return Promise.reject(new OfflineError("no answer"));
    const stored = this.objects.get(id);
    if (!stored?.content) return Promise.reject(new ProblemError("unknown-annotation", 404, "No such annotation", id));
    if ((stored.locked !== "") === locked) return Promise.resolve(stored);
    this.sequence += 1;
    const next = {
      ...stored,
      locked: locked ? this.author : "",
      revision: stored.revision + 1,
      sequence: this.sequence,
    };
    this.objects.set(id, next);
    return Promise.resolve(next);
  };

  async page(since: number | null) {
    await Promise.resolve();
    if (this.offline) throw new OfflineError("no answer");
    const news = [...this.objects.values()]
      .filter(({ sequence, content }) => sequence > (since ?? 0) && (since !== null || content))
      .sort((a, b) => a.sequence - b.sequence);
    return {
      annotations: news,
      sequence: this.sequence,
      more: false,
      total: news.length,
      classes: new Map(this.classes),
      editable: this.editable,
      author: this.author,
      comments: 0,
    };
  }

  classes = new Map<string, Color>();

  setClasses: AnnotationClient["setClasses"] = (changes) => {
    for (const [name, color] of Object.entries(changes))
      if (color) this.classes.set(name, color);
      else this.classes.delete(name);
    return Promise.resolve(new Map(this.classes));
  };

  import: AnnotationClient["import"] = () => Promise.reject(new Error("not here"));
  exportUrl = (): string => "";
}

/** Time that goes on when a test says so. */
export class HandClock implements Clock {
  private timers = new Map<number, () => void>();
  private last = 0;

  set(work: () => void): number {
    this.timers.set(++this.last, work);
    return this.last;
  }

  clear(timer: number): void {
    this.timers.delete(timer);
  }

  /** Lets all timers end, and what they begin come to rest. */
  async tick(): Promise<void> {
    const due = [...this.timers.values()];
    this.timers.clear();
    for (const work of due) work();
    for (let i = 0; i < 40; i += 1) await Promise.resolve();
  }
}
