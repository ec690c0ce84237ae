import { type RefObject, useEffect, useLayoutEffect } from "react";
import type { FieldPath, FieldValues, UseFormReturn } from "react-hook-form";
import { repeatEarlyClicks, restoreReplacedFields } from "#web/platform/early-input.ts";

declare global {
  interface Window {
    chosenEarly?: (readonly [name: string, value: string | boolean])[] | undefined;
  }
}

/**
 * Restores input from before hydration. Users can type into a prerendered form before its scripts are ready. React leaves such
 * text in the boxes during hydration but would overwrite it with the first change, so it is copied into the form first.
 * A form submitted early is submitted again.
 */
export function useEarlyInput<TValues extends FieldValues>(
  form: UseFormReturn<TValues>,
  element: RefObject<HTMLFormElement | null>,
): void {
  useLayoutEffect(() => {
    restoreReplacedFields();
    const known: Record<string, unknown> = form.getValues();
    for (const box of element.current?.querySelectorAll<HTMLInputElement>("input[name], textarea[name]") ?? []) {
      const isText = box.type !== "checkbox" && box.type !== "radio" && box.type !== "file";
      // React sets `value` and `defaultValue` together, so a difference means that the user has typed.
      if (!isText || box.value === box.defaultValue || typeof known[box.name] !== "string") continue;
      form.setValue(box.name as FieldPath<TValues>, box.value as never, { shouldDirty: true });
    }
  }, [form, element]);

  // React has reset these choices by now. before-paint.js recorded them in order.
  useLayoutEffect(() => {
    const known: Record<string, unknown> = form.getValues();
    for (const [name, value] of window.chosenEarly ?? []) {
      if (typeof known[name] !== typeof value) continue;
      form.setValue(name as FieldPath<TValues>, value as never, { shouldDirty: true });
    }
    delete window.chosenEarly;
  }, [form]);

  // The form can now be submitted. before-paint.js has prevented earlier submissions.
  useEffect(() => {
    const sent = element.current;
    sent?.setAttribute("data-ready", "");
    // First repeat clicks, which may have accepted the terms.
    repeatEarlyClicks(sent);
    if (!sent?.hasAttribute("data-sent-early")) return;
    sent.removeAttribute("data-sent-early");
    sent.requestSubmit();
  }, [element]);
}
