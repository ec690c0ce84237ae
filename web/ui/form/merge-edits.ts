/** What was typed, brought together with what somebody else saved meanwhile. */
export interface MergedEdits<TValues> {
  /** Theirs where only they changed a field, mine where I did. */
  values: TValues;
  /** Fields that both changed, to different values: somebody has to choose. */
  contested: (keyof TValues)[];
  /** Fields that only they changed. */
  taken: (keyof TValues)[];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/** Field by field: `base` is what the form began with, `theirs` what is stored now. */
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
