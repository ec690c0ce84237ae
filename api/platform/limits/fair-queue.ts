/** A caller's place in the waiting room. */
interface Waiting {
  readonly proceed: () => void;
  readonly reject: () => void;
}

/**
 * Creates a queue that runs a limited amount of work concurrently and takes waiting callers in rotation, so a caller
 * with much work delays only itself. When all places are taken, a caller with little waiting work takes the newest
 * place of the caller with the most. One caller can therefore never keep others out.
 * @param full creates the error for work that gets no place, or loses it
 * @returns a function that runs the work of a caller when a slot is available
 */
export function createFairQueue(limits: { running: number; waiting: number }, full: () => Error) {
  /** Waiting work by caller. The caller whose work runs next comes first. */
  const lines = new Map<string, Waiting[]>();
  let running = 0;
  let waiting = 0;

  const wait = (caller: string): Promise<void> => {
    const line = lines.get(caller) ?? [];
    if (waiting >= limits.waiting) {
      const longest = [...lines.values()].reduce((most, one) => (one.length > most.length ? one : most), line);
      // Otherwise the two callers would only swap places.
      if (longest.length <= line.length + 1) return Promise.reject(full());
      longest.pop()?.reject();
      waiting--;
    }
    waiting++;
    return new Promise((proceed, reject) => {
      line.push({ proceed, reject: () => reject(full()) });
      lines.set(caller, line);
    });
  };

  const proceed = (): void => {
    const [next] = lines;
    if (!next) return void running--;
    const [caller, line] = next;
    lines.delete(caller);
    const first = line.shift();
    if (line.length > 0) lines.set(caller, line);
    waiting--;
    first?.proceed();
  };

  return async <Result>(caller: string, work: () => Promise<Result>): Promise<Result> => {
    if (running >= limits.running) await wait(caller);
    else running++;
    try {
      return await work();
    } finally {
      proceed();
    }
  };
}
