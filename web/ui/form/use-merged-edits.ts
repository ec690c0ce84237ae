import { useState } from "react";

/** One change by staff, as the api tells it. */
export interface StaffChange {
  actorName: string;
  /** Names as in the audit log. */
  fields: readonly string[];
}

/** A field that both changed: what the other one made of it, and who that was. */
export interface ContestedField {
  label: string;
  /** In words, as the field shows it. */
  theirs: string;
  mine: string;
  by: string;
}

/** What somebody else saved while this form was open. */
export interface Meanwhile {
  /** Who, in words. */
  by: string;
  /** Labels of the fields that only they changed; theirs stand in the form now. */
  taken: string[];
  /** By name; a field leaves when it is settled. */
  contested: Readonly<Record<string, ContestedField>>;
}

/** How a form over something stored is brought together with what somebody else saved. */
export interface Merging<TStored, TValues extends object> {
  /** What is stored, as the form holds it; fields that only make sense together are one value. */
  valuesOf: (stored: TStored) => TValues;
  /** What stands in the form now. */
  read: () => TValues;
  /** Begins the form anew with what is stored. */
  restart: (stored: TStored) => void;
  write: (values: TValues, name: keyof TValues & string) => void;
  labels: Readonly<Record<keyof TValues & string, string>>;
  inWords: (values: TValues, name: keyof TValues & string) => string;
  /** What the audit log calls a field, where that is another name. */
  audited?: Partial<Record<keyof TValues & string, readonly string[]>>;
  /** Who it was where staff's changes do not say so. */
  otherwise: string;
  /** Asks what is stored now, and who changed what since. */
  latest: (base: TStored) => Promise<{ stored: TStored; changes: readonly StaffChange[] }>;
}

/**
 * What a form stands on, and what happens when somebody else was quicker: what was typed stays, what only they changed
 * is taken over, and fields that both changed wait to be settled.
 */
export function useMergedEdits<TStored, TValues extends object>(
  stored: TStored,
  merging: Merging<TStored, TValues>,
): MergedForm<TStored> {
  type Name = keyof TValues & string;
  const [base, setBase] = useState(stored);
  const [meanwhile, setMeanwhile] = useState<Meanwhile | null>(null);

  async function bringTogether(): Promise<void> {
    // Few ever need it.
    const { bringTogether: merge } = await import("./bring-together.ts");
    const [now, found] = await merge(base, merging);
    setBase(now);
    setMeanwhile(found);
  }

  function settle(names: readonly string[], whose: "mine" | "theirs"): void {
    const theirs = merging.valuesOf(base);
    for (const name of names as Name[]) if (whose === "theirs") merging.write(theirs, name);
    setMeanwhile(
      (known) =>
        known && {
          ...known,
          contested: Object.fromEntries(Object.entries(known.contested).filter(([name]) => !names.includes(name))),
        },
    );
  }

  return {
    base,
    meanwhile,
    bringTogether,
    begin: (saved) => {
      setBase(saved);
      setMeanwhile(null);
      merging.restart(saved);
    },
    settle,
  };
}

/** A form that was brought together, as {@link useMergedEdits} answers it. */
export interface MergedForm<TStored> {
  /** What the form stands on; its revision is the one to send. */
  base: TStored;
  /** Null while nobody was quicker. */
  meanwhile: Meanwhile | null;
  /** Brings the form together with what is stored now. */
  bringTogether: () => Promise<void>;
  /** Begins anew with what has been saved. */
  begin: (saved: TStored) => void;
  settle: (names: readonly string[], whose: "mine" | "theirs") => void;
}
