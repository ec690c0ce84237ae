/** A placeholder for a part that a higher area provides at startup. */
export interface Slot<Part> {
  provide: (part: Part) => void;
  /** @throws Error if `api/app/services.ts` doesn't provide the part */
  get: () => Part;
}

/** Creates an empty slot. `name` is used in the error message. */
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
