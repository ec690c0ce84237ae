/** What higher areas hand to a lower one, which can't import them. Filled once, before the process serves anything. */
export interface Registry<Entry> {
  /** Adds an entry; adding the same one again changes nothing. */
  register: (entry: Entry) => void;
  /** Returns the entries in the order they were added. */
  all: () => readonly Entry[];
}

/** Creates an empty registry. */
export function createRegistry<Entry>(): Registry<Entry> {
  const entries = new Set<Entry>();
  return { register: (entry) => void entries.add(entry), all: () => [...entries] };
}

/** A part that exactly one higher area provides. */
export interface Slot<Part> {
  provide: (part: Part) => void;
  /** @throws Error if nothing was provided, which is a fault of the wiring in `api/app/areas.ts` */
  get: () => Part;
}

/** Creates an empty slot; `name` is for the error. */
export function createSlot<Part>(name: string): Slot<Part> {
  let provided: { readonly part: Part } | null = null;
  return {
    provide: (part) => {
      provided = { part };
    },
    get: () => {
      if (!provided) throw new Error(`Nothing provides ${name}: add it to api/app/areas.ts.`);
      return provided.part;
    },
  };
}
