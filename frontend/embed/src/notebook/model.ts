/** The part of anywidget's model that is used here, with the traits of `SlideWidget` (notebook/widget.py). */

/** What the viewer opens: a slide, or files below a path; and the version of the viewer's code. */
export interface Source {
  readonly slide?: string;
  readonly digest?: string;
  /** The service, where this page may ask it itself. */
  readonly direct?: string | null;
  readonly files?: string;
  readonly code: string;
}

export interface Traits {
  _source: Source;
  _picture: DataView;
  _points_change: number;
  _selection_change: number;
  _annotations_change: number;
  view: Readonly<Record<string, number | boolean>>;
  channels: string;
  height: number;
  tool: string;
  selected: readonly string[];
  state: string;
}

export interface Model {
  get<K extends keyof Traits>(name: K): Traits[K];
  set<K extends keyof Traits>(name: K, value: Traits[K]): void;
  save_changes(): void;
  on(event: string, work: (...given: never[]) => void): void;
  off(event: string, work: (...given: never[]) => void): void;
  send(content: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
}
