import { useEffect } from "react";

let formsWithInput = 0;

/** Returns whether a form on the page has input that was not saved. */
export function hasUnsavedInput(): boolean {
  return formsWithInput > 0;
}

/** Declares that a form has unsaved input, so that the page isn't closed while it does. */
export function useUnsavedInput(hasInput: boolean): void {
  useEffect(() => {
    if (!hasInput) return undefined;
    formsWithInput += 1;
    return () => {
      formsWithInput -= 1;
    };
  }, [hasInput]);
}
