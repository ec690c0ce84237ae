import { notify } from "./notifications.ts";
import { isAborted } from "./server-error.ts";

/**
 * Shows a notification for errors that no code handles, such as an error in an event handler. Without it, a click would
 * seem to do nothing. Each error is logged to the console only once.
 */
export function showUncaughtErrors(): void {
  window.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    if (!isAborted(event.reason)) notify.failure(event.reason);
  });
  window.addEventListener("error", ({ error }) => {
    // Errors from browser extensions and ResizeObserver warnings have no error object and are ignored.
    if (error) notify.failure(error);
  });
}
