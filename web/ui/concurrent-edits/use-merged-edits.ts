import { useState } from "react";

/** A change by staff, from the API. */
interface StaffChange {
  actorName: string;
  /** Field names in the audit log. */
  fields: readonly string[];
}

/** A field that both users changed. */
interface ContestedField {
  label: string;
  /** Formatted as the field shows it. */
  theirs: string;
  mine: string;
  by: string;
}

/** Changes that another user saved while the form was open. */
export interface ConcurrentEdits {
  /** Name of the other user. */
  by: string;
  /** Labels of the fields that only the other user changed. The form shows their values. */
  taken: string[];
  /** Contested fields by name. Settled fields are removed. */
  contested: Readonly<Record<string, ContestedField>>;
}

/** Describes how to merge a form with what another user has saved. */
interface MergeOptions<TStored, TValues extends object> {
  /** Converts the stored record to form values. Fields that belong together are one value. */
  toValues: (stored: TStored) => TValues;
  /** Returns the current form values. */
  read: () => TValues;
  /** Resets the form to the stored record. */
  restart: (stored: TStored) => void;
  write: (values: TValues, name: keyof TValues & string) => void;
  labels: Readonly<Record<keyof TValues & string, string>>;
  formatValue: (values: TValues, name: keyof TValues & string) => string;
  /** Names of a field in the audit log, if they differ. */
  auditFieldNames?: Partial<Record<keyof TValues & string, readonly string[]>>;
  /** Name to show if the audit log has no matching change. */
  fallbackName: string;
  /** Loads the stored record and the changes since. */
  loadLatest: (base: TStored) => Promise<{ stored: TStored; changes: readonly StaffChange[] }>;
}

/**
 * Keeps the record that a form is based on. If another user saves it first, keeps the user's edits, takes over fields that
 * only the other user changed, and waits for a choice on contested fields.
 */
export function useMergedEdits<TStored, TValues extends object>(
  stored: TStored,
  merging: MergeOptions<TStored, TValues>,
): MergedForm<TStored> {
  type Name = keyof TValues & string;
  const [base, setBase] = useState(stored);
  const [concurrentEdits, setConcurrentEdits] = useState<ConcurrentEdits | null>(null);
  const { toValues, labels, auditFieldNames, fallbackName, formatValue } = merging;

  async function merge(): Promise<void> {
    const { stored: now, changes } = await merging.loadLatest(base);
    const [mine, theirs] = [merging.read(), toValues(now)];
    const { values, contested, taken } = mergeEdits(toValues(base), mine, theirs);
    merging.restart(now);
    for (const name of Object.keys(theirs) as Name[]) merging.write(values, name);
    const describe = (name: Name): ContestedField => {
      const audited: readonly string[] = auditFieldNames?.[name] ?? [name];
      const last = changes.findLast(({ fields }) => audited.some((one) => fields.includes(one)));
      const by = last ? getActorName(last) : fallbackName;
      return { label: labels[name], by, theirs: formatValue(theirs, name), mine: formatValue(mine, name) };
    };
    setBase(now);
    setConcurrentEdits({
      by: [...new Set(changes.map(getActorName))].join(", ") || fallbackName,
      taken: taken.map((name) => labels[name]),
      contested: Object.fromEntries(contested.map((name) => [name, describe(name)])),
    });
  }

  function settle(names: readonly string[], whose: "mine" | "theirs"): void {
    const theirs = toValues(base);
    for (const name of names as Name[]) if (whose === "theirs") merging.write(theirs, name);
    setConcurrentEdits(
      (known) =>
        known && {
          ...known,
          contested: Object.fromEntries(Object.entries(known.contested).filter(([name]) => !names.includes(name))),
        },
    );
  }

  return {
    base,
    concurrentEdits,
    merge,
    restart: (saved) => {
      setBase(saved);
      setConcurrentEdits(null);
      merging.restart(saved);
    },
    settle,
  };
}

export interface MergedForm<TStored> {
  /** The record that the form is based on. Its revision is sent. */
  base: TStored;
  /** Null if no other user has saved the record. */
  concurrentEdits: ConcurrentEdits | null;
  /** Merges the form with the stored record. */
  merge: () => Promise<void>;
  /** Resets the form to the saved record. */
  restart: (saved: TStored) => void;
  settle: (names: readonly string[], whose: "mine" | "theirs") => void;
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
  contested: (keyof TValues & string)[];
  /** Fields that only the other user changed. */
  taken: (keyof TValues & string)[];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? "") === JSON.stringify(other ?? "");

/** Merges field by field. `base` has the form's initial values, `theirs` the stored ones. */
export function mergeEdits<TValues extends object>(base: TValues, mine: TValues, theirs: TValues) {
  const merged: MergedEdits<TValues> = { values: { ...theirs }, contested: [], taken: [] };
  for (const name of Object.keys(theirs) as (keyof TValues & string)[]) {
    if (same(mine[name], theirs[name])) continue;
    if (same(mine[name], base[name])) merged.taken.push(name);
    else {
      merged.values[name] = mine[name];
      if (!same(theirs[name], base[name])) merged.contested.push(name);
    }
  }
  return merged;
}
