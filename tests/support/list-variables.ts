/** Size, position and order of a list, and any conditions of its filter. */
export interface ListRequest {
  readonly first?: number;
  readonly offset?: number;
  readonly after?: string | null;
  readonly fromEnd?: boolean;
  readonly by?: string;
  readonly descending?: boolean;
  readonly [condition: string]: unknown;
}

/** Builds the variables of a list's query: `first`, `offset`, `after`, `fromEnd`, `order`, and a `filter` of all others. */
export function toListVariables({ first, offset, after, fromEnd, by, descending, ...filter }: ListRequest) {
  const order = by === undefined && descending === undefined ? null : { by, descending };
  return { filter, first, offset, after, fromEnd, order };
}
