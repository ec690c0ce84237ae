import { type RefObject, useEffect, useLayoutEffect } from "react";
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from "react-hook-form";
import { repeatPresses } from "#web/platform/early-input.ts";

declare global {
  interface Window {
    chosenEarly?: (readonly [name: string, value: string | boolean])[] | undefined;
  }
}

/**
 * A prerendered form can be typed into before its scripts have arrived. React leaves such text in the boxes when it
 * takes the page over, and would overwrite it with the first change: it becomes part of the form here, before that. And
 * it can be sent: then it is sent again.
 */
export function useTypedBefore<TValues extends FieldValues>(
  form: UseFormReturn<TValues>,
  element: RefObject<HTMLFormElement | null>,
): void {
  useLayoutEffect(() => {
    const known: Record<string, unknown> = form.getValues();
    for (const box of element.current?.querySelectorAll<HTMLInputElement>("input[name], textarea[name]") ?? []) {
      const isText = box.type !== "checkbox" && box.type !== "radio" && box.type !== "file";
      // What React itself has put there stands in `defaultValue`, too.
      if (!isText || box.value === box.defaultValue || typeof known[box.name] !== "string") continue;
      form.setValue(box.name as FieldPath<TValues>, box.value as FieldPathValue<TValues, FieldPath<TValues>>, {
        shouldDirty: true,
      });
    }
  }, [form, element]);

  // What was chosen is gone from the boxes by now: before-paint.js has noted it, in the order in which it was chosen.
  useLayoutEffect(() => {
    const known: Record<string, unknown> = form.getValues();
    for (const [name, value] of window.chosenEarly ?? []) {
      if (typeof known[name] !== typeof value) continue;
      form.setValue(name as FieldPath<TValues>, value as FieldPathValue<TValues, FieldPath<TValues>>, {
        shouldDirty: true,
      });
    }
    delete window.chosenEarly;
  }, [form]);

  // Only now does the form know what to do when it is sent; before-paint.js has held back what was sent before.
  useEffect(() => {
    const sent = element.current;
    sent?.setAttribute("data-ready", "");
    // Before the form is sent: the press may have accepted its terms.
    repeatPresses(sent);
    if (!sent?.hasAttribute("data-sent-early")) return;
    sent.removeAttribute("data-sent-early");
    sent.requestSubmit();
  }, [element]);
}
