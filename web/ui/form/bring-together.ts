import { mergeEdits } from "./merge-edits.ts";
import type { Meanwhile, Merging, StaffChange } from "./use-merged-edits.ts";

/**
 * Brings a form together with what is stored now: what was typed stays, what only the other one changed is taken over.
 * @returns what is stored now, and what is to be said of it
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
  const whoChanged = (name: Name) => {
    const last = changes.findLast(({ fields }) => (audited?.[name] ?? [name]).some((one) => fields.includes(one)));
    return last ? nameOf(last) : otherwise;
  };
  const fields = (contested as Name[]).map((name) => {
    const words = { theirs: inWords(theirs, name), mine: inWords(mine, name) };
    return [name, { label: labels[name], by: whoChanged(name), ...words }] as const;
  });
  const meanwhile = {
    by: [...new Set(changes.map(nameOf))].join(", ") || otherwise,
    taken: (taken as Name[]).map((name) => labels[name]),
    contested: Object.fromEntries(fields),
  };
  return [now, meanwhile];
}

/** The audit log has the address beside the name. */
function nameOf({ actorName }: StaffChange): string {
  return actorName.replace(/ <[^>]*>$/, "");
}
