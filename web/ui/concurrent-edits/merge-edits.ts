/** A user's edits merged with what another user saved in the meantime. */
export interface MergedEdits<TValues> {
  /** The other user's values for fields that only they changed, the user's values otherwise. */
  values: TValues;
  /** Fields that both changed to different values. */
  contested: (keyof TValues)[];
  /** Fields that only the other user changed. */
  taken: (keyof TValues)[];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/** Merges field by field. `base` has the form's initial values, `theirs` the stored ones. */
export function mergeEdits<TValues extends object>(
  base: TValues,
  mine: TValues,
  theirs: TValues,
): MergedEdits<TValues> {
  const merged: MergedEdits<TValues> = { values: { ...theirs }, contested: [], taken: [] };
  for (const name of Object.keys(theirs) as (keyof TValues)[]) {
    if (same(mine[name], theirs[name])) continue;
    if (same(mine[name], base[name])) merged.taken.push(name);
    else {
      merged.values[name] = mine[name];
      if (!same(theirs[name], base[name])) merged.contested.push(name);
    }
  }
  return merged;
}
