/** Gathers what arrives together, so that many questions cost one round trip. */
export interface MicroBatches<Item, Result> {
  /** Puts an item into the next batch and gives its result. */
  add(item: Item): Promise<Result>;
}

/** How batches are made. */
export interface MicroBatchOptions<Item, Result> {
  /** Does a whole batch and gives the results in its order; all or none of it happens. */
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  /**
   * Two items of one key are never under way together: a statement changes a row once, and sees what was before it.
   * Undefined for an item that changes nothing.
   */
  readonly keyOf: (item: Item) => string | undefined;
  /** Batches under way at the same time; what arrives meanwhile waits and makes the next one bigger. */
  readonly inFlight: number;
  /** Most items of one batch. */
  readonly most: number;
  /** Whether a batch failed for something that one of its items brought in; then each is tried by itself. */
  readonly isItemsFault: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Makes {@link MicroBatches}. A lone item is not kept waiting longer than the present turn of the event loop. */
export function createMicroBatches<Item, Result>(options: MicroBatchOptions<Item, Result>): MicroBatches<Item, Result> {
  const { run, keyOf, inFlight, most, isItemsFault } = options;
  let waiting: Waiting<Item, Result>[] = [];
  let underWay = 0;
  let isPlanned = false;
  const keysUnderWay = new Set<string>();

  function plan(): void {
    if (isPlanned || waiting.length === 0 || underWay >= inFlight) return;
    isPlanned = true;
    // After this turn's requests were read, so that those share the batch.
    setImmediate(() => {
      isPlanned = false;
      while (underWay < inFlight) {
        const batch = takeBatch();
        if (batch.length === 0) return;
        void send(batch);
      }
    });
  }

  function takeBatch(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = [];
    const later: Waiting<Item, Result>[] = [];
    for (const one of waiting) {
      const key = keyOf(one.item);
      if (batch.length >= most || (key !== undefined && keysUnderWay.has(key))) later.push(one);
      else {
        if (key !== undefined) keysUnderWay.add(key);
        batch.push(one);
      }
    }
    waiting = later;
    return batch;
  }

  async function send(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    underWay++;
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || !isItemsFault(error)) for (const { reject } of batch) reject(error);
      else for (const one of batch) await alone(one);
    } finally {
      underWay--;
      for (const { item } of batch) {
        const key = keyOf(item);
        if (key !== undefined) keysUnderWay.delete(key);
      }
      plan();
    }
  }

  async function alone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      resolve((await run([item]))[0] as Result);
    } catch (error) {
      reject(error);
    }
  }

  return {
    add: (item) =>
      new Promise<Result>((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        plan();
      }),
  };
}
