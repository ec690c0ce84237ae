import { useState } from "react";

/** A change by staff, from the API. */
export interface StaffChange {
  actorName: string;
  /** Field names in the audit log. */
  fields: readonly string[];
}

/** A field that both users changed. */
export interface ContestedField {
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
export interface MergeOptions<TStored, TValues extends object> {
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

  async function merge(): Promise<void> {
    // Rarely needed, so loaded on demand.
    const { mergeWithStored } = await import("./merge-with-stored.ts");
    const [now, found] = await mergeWithStored(base, merging);
    setBase(now);
    setConcurrentEdits(found);
  }

  function settle(names: readonly string[], whose: "mine" | "theirs"): void {
    const theirs = merging.toValues(base);
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
