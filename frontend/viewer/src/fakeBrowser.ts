/** The parts of a browser's document and of its frames that the viewer's layers use, for tests. */
import { vi } from "vitest";

export class FakeElement {
  readonly style: Record<string, string> = {};
  readonly dataset: Record<string, string> = {};
  readonly attributes = new Map<string, string>();
  readonly children: FakeElement[] = [];
  textContent = "";
  hidden = false;
  private parent: FakeElement | null = null;

  constructor(readonly tag: string) {}

  get childElementCount(): number {
    return this.children.length;
  }

  get lastElementChild(): FakeElement | undefined {
    return this.children.at(-1);
  }

  append(...elements: FakeElement[]): void {
    for (const element of elements) {
      element.remove();
      element.parent = this;
      this.children.push(element);
    }
  }

  appendChild(element: FakeElement): FakeElement {
    this.append(element);
    return element;
  }

  replaceChildren(...elements: FakeElement[]): void {
    for (const child of [...this.children]) child.remove();
    this.append(...elements);
  }

  remove(): void {
    this.parent?.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  /** Its animation ends when the test says so. */
  readonly animate = vi.fn((): { onfinish: (() => void) | null } => ({ onfinish: null }));

  /** It and all that lies in it. */
  all(tag: string): FakeElement[] {
    return [...(this.tag === tag ? [this] : []), ...this.children.flatMap((child) => child.all(tag))];
  }
}

/** Replaces the global document by one that only makes elements; undo it with `vi.unstubAllGlobals()`. */
export function openDocument(make: (tag: string) => object = (tag) => new FakeElement(tag)): void {
  vi.stubGlobal("document", { createElement: make, createElementNS: (_: string, tag: string) => make(tag) });
}

/** Frames that are drawn when a test says so, and their clock; replaces the globals. */
export class FakeFrames {
  now = 1000;
  private readonly waiting = new Map<number, (now: number) => void>();
  private last = 0;

  constructor() {
    vi.stubGlobal("requestAnimationFrame", (work: (now: number) => void) => {
      this.waiting.set((this.last += 1), work);
      return this.last;
    });
    vi.stubGlobal("cancelAnimationFrame", (id: number) => this.waiting.delete(id));
    vi.stubGlobal("performance", { now: () => this.now });
  }

  /** How many callbacks wait for the next frame. */
  get asked(): number {
    return this.waiting.size;
  }

  /** The next frame, so many milliseconds later. */
  draw(milliseconds = 16): void {
    this.now += milliseconds;
    const due = [...this.waiting.values()];
    this.waiting.clear();
    for (const work of due) work(this.now);
  }
}
