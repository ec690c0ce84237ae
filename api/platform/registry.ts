/** A part that exactly one higher area provides. */
export interface Slot<Part> {
  provide: (part: Part) => void;
  /** @throws Error if nothing was provided, which is a fault of the wiring in `api/app/services.ts` */
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
      if (!provided) throw new Error(`Nothing provides ${name}: add it to api/app/services.ts.`);
      return provided.part;
    },
  };
}
