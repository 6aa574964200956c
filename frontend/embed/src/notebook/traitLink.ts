/** One view of a widget on the traits that all its views and Python share. */
import type { Model, Traits } from "./model";

export class TraitLink {
  private readonly ends: (() => void)[] = [];

  constructor(readonly model: Model) {}

  on(name: keyof Traits, work: () => void): void {
    const event = `change:${name}`;
    this.model.on(event, work);
    this.ends.push(() => this.model.off(event, work));
  }

  put<K extends keyof Traits>(name: K, value: Traits[K]): void {
    if (JSON.stringify(this.model.get(name)) === JSON.stringify(value)) return;
    this.model.set(name, value);
    this.model.save_changes();
  }

  ending(work: () => void): void {
    this.ends.push(work);
  }

  close(): void {
    for (const end of this.ends) end();
  }
}
