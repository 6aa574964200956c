/** Questions to another thread, answered by their numbers. */
export class Waiting<T> {
  private readonly open = new Map<number, PromiseWithResolvers<T>>();
  private last = 0;

  ask(send: (id: number) => void): Promise<T> {
    const id = (this.last += 1);
    const { promise, resolve, reject } = withResolvers<T>();
    this.open.set(id, { promise, resolve, reject });
    send(id);
    return promise;
  }

  resolve(id: number, value: T): void {
    this.open.get(id)?.resolve(value);
    this.open.delete(id);
  }

  reject(id: number, error: Error): void {
    this.open.get(id)?.reject(error);
    this.open.delete(id);
  }

  /** For questions to a thread that is gone. */
  rejectAll(error: Error): void {
    for (const id of [...this.open.keys()]) this.reject(id, error);
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let found: Pick<PromiseWithResolvers<T>, "resolve" | "reject"> | undefined;
  const promise = new Promise<T>((resolve, reject) => (found = { resolve, reject }));
  return { promise, ...found! };
}
