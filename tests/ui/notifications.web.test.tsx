import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { renderWeb } from "#tests/support/render-web.tsx";
import { CopyButton } from "#web/ui/copy-button.tsx";
import { notify } from "#web/platform/notifications.ts";
import { formatError, ServerError } from "#web/platform/server-error.ts";

beforeEach(() => notify.clear());
afterEach(() => vi.useRealTimers());

test("shows errors as alerts and successes as statuses in a live region that was there, and dismisses both", async () => {
  const { user, container } = renderWeb(<input aria-label="Name" />);
  const region = container.querySelector('[aria-live="polite"]');
  screen.getByLabelText("Name").focus();
  act(() => {
    notify.error("Unable to register.");
    notify.success("Your profile has been successfully updated.");
  });
  expect(screen.getByRole("alert").textContent).toBe("Unable to register.");
  expect(screen.getByRole("status").textContent).toBe("Your profile has been successfully updated.");
  expect(region?.contains(screen.getByRole("status"))).toBe(true);
  const [first] = screen.getAllByRole("button", { name: "Dismiss notification" });
  await user.click(first as HTMLElement);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Name"));
});

test("hides messages automatically, errors later than successes", () => {
  vi.useFakeTimers();
  renderWeb(null);
  act(() => {
    notify.success("Done.");
    notify.error("Not done.");
  });
  act(() => void vi.advanceTimersByTime(5_900));
  expect(screen.getByText("Done.")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.queryByText("Done.")).toBeNull();
  expect(screen.getByText("Not done.")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(3_000));
  expect(screen.queryByText("Not done.")).toBeNull();
});

test("offers Undo for 15 seconds, by key, once, and keeps it while it has the focus", async () => {
  const undo = vi.fn();
  const { user } = renderWeb(null);
  act(() => notify.undoable("Deleted.", undo));
  await user.keyboard("u");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Undo" }));
  await user.keyboard("{Enter}");
  expect(undo).toHaveBeenCalledOnce();
  expect(screen.queryByText("Deleted.")).toBeNull();
  vi.useFakeTimers();
  act(() => notify.undoable("Deleted again.", undo));
  act(() => void vi.advanceTimersByTime(14_900));
  act(() => screen.getByRole("button", { name: "Undo" }).focus());
  act(() => void vi.advanceTimersByTime(60_000));
  act(() => screen.getByRole("button", { name: "Undo" }).blur());
  act(() => void vi.advanceTimersByTime(14_900));
  expect(screen.getByText("Deleted again.")).toBeTruthy();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.queryByText("Deleted again.")).toBeNull();
});

test("replaces a repeated message and shows at most four messages", () => {
  renderWeb(null);
  act(() => {
    for (const message of ["1", "2", "3", "3", "4", "5"]) notify.error(message);
  });
  expect(screen.getAllByRole("alert").map((alert) => alert.textContent)).toEqual(["2", "3", "4", "5"]);
});

test("shows the message of an invalid field, the API's message, or the fallback for an error without one", () => {
  const extensions = { code: "BAD_USER_INPUT", fields: { receivedDay: ["The date can't be in the future."] } };
  for (const [error, sentence] of [
    [new ServerError([{ message: "Some values are not valid.", extensions }]), "The date can't be in the future."],
    [new ServerError([{ message: "Your account is not active." }]), "Your account is not active."],
    [new ServerError([{ message: "Oops, something went wrong." }]), "Unable to load the data."],
    [new TypeError("x is undefined"), "Unable to load the data."],
    [null, "Unable to load the data."],
  ] as const)
    expect(formatError(error, "Unable to load the data.")).toBe(sentence);
});

test("copies to the clipboard and shows a notification", async () => {
  const { user } = renderWeb(
    <CopyButton text="ABCDE-12345" successMessage="Licence code has been copied to clipboard." />,
  );
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await navigator.clipboard.readText()).toBe("ABCDE-12345");
  expect((await screen.findByRole("status")).textContent).toBe("Licence code has been copied to clipboard.");
});

test("copies on a page without TLS, and keeps the focus on the button", async () => {
  const { user } = renderWeb(<CopyButton text="ABCDE-12345" successMessage="Copied." />);
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
  let copied: string | undefined;
  document.execCommand = () => {
    // Browsers focus a box whose text is selected.
    const box = document.querySelector("textarea");
    box?.focus();
    copied = box?.value;
    return true;
  };
  onTestFinished(() => void Reflect.deleteProperty(document, "execCommand"));
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect((await screen.findByRole("status")).textContent).toBe("Copied.");
  expect(copied).toBe("ABCDE-12345");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Copy" }));
});

test("shows an error if the browser blocks copying", async () => {
  const { user } = renderWeb(<CopyButton text="x" successMessage="Copied." />);
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("denied"));
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/blocked copying\. Please select the text/);
});
