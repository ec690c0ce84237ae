import { useEffect, useState } from "react";
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from "react-hook-form";
import { DRAFTS } from "#web/platform/forget-drafts.ts";

type Values = Record<string, unknown>;

/** What a form knows about the draft of what is typed in it. */
export interface Draft {
  /** True while something that was brought back stands in the form. */
  readonly restored: boolean;
  /** Sent, or not wanted any more. */
  forget(): void;
}

/**
 * Keeps what is typed in a form for a reload or a way back: all that differs from what the form began with, never a
 * password. `name` tells forms and people apart (`update-profile.USER-ID`); undefined keeps nothing.
 */
export function useDraft<TValues extends FieldValues>(form: UseFormReturn<TValues>, name: string | undefined): Draft {
  const [restored, setRestored] = useState(false);

  useEffect(() => {
    if (name === undefined) return undefined;
    if (bringBack(form, read(name))) setRestored(true);
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, defaultValues }) => write(name, changesOf(values, defaultValues ?? {})),
    });
  }, [form, name]);

  return {
    restored,
    forget() {
      if (name !== undefined) write(name, {});
      setRestored(false);
    },
  };
}

/** True for a field that no draft may hold. */
export function isSecret(field: string): boolean {
  return /password/i.test(field);
}

function bringBack<TValues extends FieldValues>(form: UseFormReturn<TValues>, kept: Values): boolean {
  const known: Values = form.getValues();
  const changed = Object.entries(kept).filter(
    ([field, value]) => !isSecret(field) && field in known && sameKind(known[field], value) && known[field] !== value,
  );
  for (const [field, value] of changed)
    form.setValue(field as FieldPath<TValues>, value as FieldPathValue<TValues, FieldPath<TValues>>, {
      shouldDirty: true,
    });
  return changed.length > 0;
}

function sameKind(present: unknown, kept: unknown): boolean {
  return typeof kept === typeof (present ?? "") && (typeof kept === "string" || typeof kept === "boolean");
}

function changesOf(values: Values, beginning: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([field, value]) => !isSecret(field) && value !== beginning[field]),
  );
}

const isObject = (kept: unknown): kept is Values => kept !== null && typeof kept === "object";

function read(name: string): Values {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(DRAFTS + name) ?? "{}");
    return isObject(kept) ? kept : {};
  } catch {
    return {};
  }
}

function write(name: string, values: Values): void {
  try {
    if (Object.keys(values).length > 0) sessionStorage.setItem(DRAFTS + name, JSON.stringify(values));
    else sessionStorage.removeItem(DRAFTS + name);
  } catch {
    // Storage is off or full: the form works without.
  }
}
