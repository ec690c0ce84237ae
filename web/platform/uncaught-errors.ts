import { notify } from "./notifications.ts";
import { isAborted } from "./server-error.ts";

/**
 * Shows a notification for errors that no code handles, such as an error in an event handler. Without it the press
 * would do nothing. The console gets the error once.
 */
export function showUncaughtErrors(): void {
  window.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    if (!isAborted(event.reason)) notify.failure(event.reason);
  });
  window.addEventListener("error", ({ error }) => {
    // The browser itself has no error object to show, as for a script of an extension or a late ResizeObserver.
    if (error) notify.failure(error);
  });
}
