/** `work` at once; but what is called again within the same frame waits for the next one, and is then done once. */
export function oncePerFrame(work: () => void, nextFrame: (work: () => void) => void): () => void {
  let begun = false;
  let again = false;
  const run = (): void => {
    again = begun;
    if (begun) return;
    begun = true;
    nextFrame(() => {
      begun = false;
      if (again) run();
    });
    work();
  };
  return run;
}
