/**
 * Creates a placeholder for a part that a higher area provides at startup. `get` throws an Error if `api/app/services.ts`
 * doesn't provide it.
 * @param name used in the error message
 */
export function createSlot<Part>(name: string) {
  let provided: { readonly part: Part } | null = null;
  return {
    provide: (part: Part): void => {
      provided = { part };
    },
    get: (): Part => {
      if (!provided) throw new Error(`Nothing provides ${name}: add it to api/app/services.ts.`);
      return provided.part;
    },
  };
}
