import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { showUncaughtErrors } from "#web/platform/uncaught-errors.ts";
import { NotificationHost } from "#web/public-ui/notification-host.tsx";

const DEFAULT_MESSAGE = "Oops, something went wrong. Check the console logs for details.";

function createRejection(reason: unknown): Event {
  return Object.assign(new Event("unhandledrejection", { cancelable: true }), { reason });
}

test("shows an unhandled error and logs it once", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  showUncaughtErrors();
  render(<NotificationHost />);
  const error = new TypeError("x is undefined");
  const event = createRejection(error);
  window.dispatchEvent(event);
  expect((await screen.findByRole("alert")).textContent).toContain(DEFAULT_MESSAGE);
  expect(log.mock.calls.map(([first]) => first)).toEqual([error]);
  expect(event.defaultPrevented).toBe(true);
});

test("ignores a cancelled request and an error event without an error object", () => {
  showUncaughtErrors();
  render(<NotificationHost />);
  window.dispatchEvent(createRejection(new DOMException("Aborted", "AbortError")));
  window.dispatchEvent(new Event("error"));
  expect(screen.queryByRole("alert")).toBeNull();
});
