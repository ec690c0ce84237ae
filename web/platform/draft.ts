import { useEffect, useState } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { DRAFT_KEY_PREFIX } from "./delete-drafts.ts";
import { tabStorage } from "./storage.ts";

type Values = Record<string, unknown>;

/**
 * Stores changed input of a form, except passwords and consent, so that it survives a reload or navigation. `name` identifies the form
 * and user (`update-profile.USER-ID`). Stores nothing if `name` is undefined.
 */
export function useDraft<TValues extends FieldValues>(form: UseFormReturn<TValues>, name: string | undefined) {
  const [isRestored, setRestored] = useState(false);

  useEffect(() => {
    if (name === undefined) return undefined;
    if (restoreDraft(form, read(name))) setRestored(true);
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues }) => write(name, getChanges(values, defaultValues ?? {})),
    });
  }, [form, name]);

  return {
    /** True while the form shows restored input. */
    isRestored,
    /** Deletes the draft after submitting or starting again. */
    discard() {
      if (name !== undefined) write(name, {});
      setRestored(false);
    },
  };
}

/** Returns true for passwords, which drafts never store. */
export function isSecret(field: string): boolean {
  return /password/i.test(field);
}

/** Returns true for fields that have to be filled in again: passwords, and the consent to terms, which is given anew. */
const isUnkept = (field: string) => isSecret(field) || field === "acceptedTheTerms";

function restoreDraft<TValues extends FieldValues>(form: UseFormReturn<TValues>, kept: Values): boolean {
  const known: Values = form.getValues();
  // What was typed before hydration is newer.
  const isNewer = (field: string) => form.getFieldState(field as FieldPath<TValues>).isDirty;
  const changed = Object.entries(kept).filter(
    ([field, value]) =>
      !isUnkept(field) &&
      field in known &&
      isSameType(known[field], value) &&
      known[field] !== value &&
      !isNewer(field),
  );
  for (const [field, value] of changed)
    form.setValue(field as FieldPath<TValues>, value as never, { shouldDirty: true });
  return changed.length > 0;
}

function isSameType(present: unknown, kept: unknown): boolean {
  return typeof kept === typeof (present ?? "") && (typeof kept === "string" || typeof kept === "boolean");
}

function getChanges(values: Values, initial: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isUnkept(field) && value !== initial[field]),
  );
}

const isObject = (kept: unknown): kept is Values => kept !== null && typeof kept === "object";

function read(name: string): Values {
  try {
    const kept: unknown = JSON.parse(tabStorage.get(DRAFT_KEY_PREFIX + name) ?? "{}");
    return isObject(kept) ? kept : {};
  } catch {
    return {};
  }
}

function write(name: string, values: Values): void {
  if (Object.keys(values).length > 0) tabStorage.set(DRAFT_KEY_PREFIX + name, JSON.stringify(values));
  else tabStorage.remove(DRAFT_KEY_PREFIX + name);
}
