import { mergeEdits } from "./merge-edits.ts";
import type { Meanwhile, Merging, StaffChange } from "./use-merged-edits.ts";

/**
 * Merges a form with the stored record: keeps the user's edits and takes over fields that only the other user changed.
 * @returns the stored record and the result of the merge
 */
export async function bringTogether<TStored, TValues extends object>(
  base: TStored,
  merging: Merging<TStored, TValues>,
): Promise<[TStored, Meanwhile]> {
  type Name = keyof TValues & string;
  const { valuesOf, labels, audited, otherwise, inWords } = merging;
  const { stored: now, changes } = await merging.latest(base);
  const theirs = valuesOf(now);
  const mine = merging.read();
  const { values, contested, taken } = mergeEdits(valuesOf(base), mine, theirs);
  merging.restart(now);
  for (const name of Object.keys(theirs) as Name[]) merging.write(values, name);
  const findActor = (name: Name) => {
    const last = changes.findLast(({ fields }) => (audited?.[name] ?? [name]).some((one) => fields.includes(one)));
    return last ? getActorName(last) : otherwise;
  };
  const fields = (contested as Name[]).map((name) => {
    const words = { theirs: inWords(theirs, name), mine: inWords(mine, name) };
    return [name, { label: labels[name], by: findActor(name), ...words }] as const;
  });
  const meanwhile = {
    by: [...new Set(changes.map(getActorName))].join(", ") || otherwise,
    taken: (taken as Name[]).map((name) => labels[name]),
    contested: Object.fromEntries(fields),
  };
  return [now, meanwhile];
}

/** Returns the name without the email that the audit log appends. */
function getActorName({ actorName }: StaffChange): string {
  return actorName.replace(/ <[^>]*>$/, "");
}
