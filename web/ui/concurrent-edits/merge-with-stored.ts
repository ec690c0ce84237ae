import type { ConcurrentEdits, MergeOptions, StaffChange } from "./use-merged-edits.ts";

/**
 * Merges a form with the stored record: keeps the user's edits and takes over fields that only the other user changed.
 * @returns the stored record and the result of the merge
 */
export async function mergeWithStored<TStored, TValues extends object>(
  base: TStored,
  merging: MergeOptions<TStored, TValues>,
): Promise<[TStored, ConcurrentEdits]> {
  type Name = keyof TValues & string;
  const { toValues, labels, auditFieldNames, fallbackName, formatValue } = merging;
  const { stored: now, changes } = await merging.loadLatest(base);
  const theirs = toValues(now);
  const mine = merging.read();
  const { values, contested, taken } = mergeEdits(toValues(base), mine, theirs);
  merging.restart(now);
  for (const name of Object.keys(theirs) as Name[]) merging.write(values, name);
  const findActor = (name: Name) => {
    const last = changes.findLast(({ fields }) =>
      (auditFieldNames?.[name] ?? [name]).some((one) => fields.includes(one)),
    );
    return last ? getActorName(last) : fallbackName;
  };
  const fields = (contested as Name[]).map((name) => {
    const words = { theirs: formatValue(theirs, name), mine: formatValue(mine, name) };
    return [name, { label: labels[name], by: findActor(name), ...words }] as const;
  });
  const meanwhile = {
    by: [...new Set(changes.map(getActorName))].join(", ") || fallbackName,
    taken: (taken as Name[]).map((name) => labels[name]),
    contested: Object.fromEntries(fields),
  };
  return [now, meanwhile];
}

/** Returns the name without the email that the audit log appends. */
function getActorName({ actorName }: StaffChange): string {
  return actorName.replace(/ <[^>]*>$/, "");
}

/** A user's edits merged with what another user saved in the meantime. */
interface MergedEdits<TValues> {
  /** The other user's values for fields that only they changed, the user's values otherwise. */
  values: TValues;
  /** Fields that both changed to different values. */
  contested: (keyof TValues)[];
  /** Fields that only the other user changed. */
  taken: (keyof TValues)[];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/** Merges field by field. `base` has the form's initial values, `theirs` the stored ones. */
export function mergeEdits<TValues extends object>(base: TValues, mine: TValues, theirs: TValues) {
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
