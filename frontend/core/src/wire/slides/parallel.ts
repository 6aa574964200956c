/** Runs work on all items, at most `most` at a time; gives results as they come. Throws the first failure. */
export async function* inParallel<T, R>(
  items: readonly T[],
  most: number,
  work: (item: T, index: number) => Promise<R>,
): AsyncIterable<R> {
  const running = new Map<number, Promise<{ index: number; result: R }>>();
  let next = 0;
  const start = (): void => {
    const index = next;
    next += 1;
    const done = work(items[index]!, index).then((result) => ({ index, result }));
    done.catch(() => undefined); // thrown below, unless another one failed before
    running.set(index, done);
  };
  while (next < Math.min(most, items.length)) start();
  while (running.size > 0) {
    const { index, result } = await Promise.race(running.values());
    running.delete(index);
    if (next < items.length) start();
    yield result;
  }
}
