import { createContext, use, useEffect } from "react";

/** Keeps a dialog open until the returned function is called. Null outside a dialog. */
export const KeepOpen = createContext<(() => () => void) | null>(null);

/**
 * Keeps the surrounding dialog open while a change runs in it: what was typed would be lost if the change fails, and opening the
 * dialog again could send it twice. Does nothing outside a dialog.
 */
export function useDialogBusy(isBusy: boolean): void {
  const keepOpen = use(KeepOpen);
  useEffect(() => (isBusy && keepOpen ? keepOpen() : undefined), [isBusy, keepOpen]);
}
