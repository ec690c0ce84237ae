import { startTransition, useState } from "react";

/** The rows of a list that the user has selected. */
export interface Selection {
  /** IDs of the selected rows on all pages. Empty if all rows that match are selected. */
  readonly ids: ReadonlySet<string>;
  /** True if all rows that match the search and filter are selected. */
  readonly isAll: boolean;
  has: (id: string) => boolean;
  change: (ids: readonly string[], isSelected: boolean) => void;
  selectAll: () => void;
  clear: () => void;
}

interface State {
  readonly key: string;
  readonly ids: ReadonlySet<string>;
  readonly isAll: boolean;
}

/**
 * Manages the selected rows of a list. Sorting and paging keep them.
 * @param key search and filter; a new value clears the selection
 * @param pageIds IDs of the rows on the current page
 */
export function useSelection(key: string, pageIds: readonly string[]): Selection {
  const [state, setState] = useState<State>({ key, ...nothing });
  const { ids, isAll } = state.key === key ? state : nothing;
  // Many rows change after the next paint, so that the click gets its response first.
  const changeMany = (next: Pick<State, "ids" | "isAll">) => startTransition(() => setState({ key, ...next }));
  return {
    ids,
    isAll,
    has: (id) => isAll || ids.has(id),
    change: (changed, isSelected) => {
      // A row taken out of all rows leaves the other rows of this page.
      const next = new Set(isAll ? pageIds : ids);
      for (const id of changed)
        if (isSelected) next.add(id);
        else next.delete(id);
      if (changed.length === 1) setState({ key, ids: next, isAll: false });
      else changeMany({ ids: next, isAll: false });
    },
    selectAll: () => changeMany({ ids: nothing.ids, isAll: true }),
    clear: () => changeMany(nothing),
  };
}

const nothing = { ids: new Set<string>() as ReadonlySet<string>, isAll: false };
