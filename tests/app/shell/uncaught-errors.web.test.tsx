import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { showUncaughtErrors } from "#web/platform/uncaught-errors.ts";
import { NotificationHost } from "#web/ui/notification-host.tsx";

const NOTHING_SAID = "Oops, something went wrong. Check the console logs for details.";

function rejection(reason: unknown): Event {
  return Object.assign(new Event("unhandledrejection", { cancelable: true }), { reason });
}

test("an error that no code handles is shown and written to the console once", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  showUncaughtErrors();
  render(<NotificationHost />);
  const error = new TypeError("x is undefined");
  const event = rejection(error);
  window.dispatchEvent(event);
  expect((await screen.findByRole("alert")).textContent).toContain(NOTHING_SAID);
  expect(log.mock.calls.map(([first]) => first)).toEqual([error]);
  expect(event.defaultPrevented).toBe(true);
});

test("a cancelled request and an error without an object are not shown", () => {
  showUncaughtErrors();
  render(<NotificationHost />);
  window.dispatchEvent(rejection(new DOMException("Aborted", "AbortError")));
  window.dispatchEvent(new Event("error"));
  expect(screen.queryByRole("alert")).toBeNull();
});
