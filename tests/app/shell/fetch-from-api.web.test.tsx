import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { TWO_STEP_REQUIRED, VIEW_ONLY } from "#schema/error-codes.ts";
import { mockGraphqlResponse, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { installNavigator } from "#web/platform/navigator.ts";
import { noticeStore, notify } from "#web/platform/notifications.ts";
import { formatError, NetworkFailure } from "#web/platform/server-error.ts";
import { NOT_PROVED, proofRequest } from "#web/platform/step-up.ts";

const goTo = vi.fn();
let uninstall: () => void;
const respondWith = (status: number, body: unknown) =>
  vi.stubGlobal("fetch", async () => mockGraphqlResponse(body, status));
const fetchResult = () => fetchFromApi("/v1/admin/bulk-runs/1/result", "text/csv").catch((error: unknown) => error);

beforeEach(() => {
  resetSession();
  notify.clear();
  goTo.mockClear();
  uninstall = installNavigator(goTo);
  signInAs("admin");
});
afterEach(() => uninstall());

test.each([
  ["Unable to access page.", ["/pages/error-403", { replace: true }]],
  [TWO_STEP_REQUIRED, ["/two-step-sign-in/", { replace: true, state: { from: "/" } }]],
])("leaves the page after a 403 with %j", async (Message, place) => {
  respondWith(403, { Message, requestId: "1" });
  expect(formatError(await fetchResult(), "Unable to download.")).toBe(Message);
  expect(goTo.mock.calls).toEqual([place]);
});

test("says only once that a view is read-only after a 403, and stays on the page", async () => {
  respondWith(403, { Message: VIEW_ONLY, requestId: "1" });
  notify.failure(await fetchResult(), "Unable to download.");
  expect(noticeStore.current().map(({ message }) => message)).toEqual([VIEW_ONLY]);
  expect(goTo).not.toHaveBeenCalled();
});

test("stays on the page after other errors and lost responses", async () => {
  respondWith(409, { Message: "Not now.", requestId: "1" });
  expect(formatError(await fetchResult(), "Unable to download.")).toBe("Not now.");
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  expect(await fetchResult()).toBeInstanceOf(NetworkFailure);
  expect(goTo).not.toHaveBeenCalled();
});

describe("a call that the API refuses without a recent proof of identity", () => {
  const refusal = { Message: "Please confirm that it's you first.", code: "step_up_required", requestId: "1" };
  const body = { content: "email\nada@example.com\n", type: "text/csv" };

  /** Answers the dialog, and returns the bodies of the requests. */
  function answerDialog(proves: boolean): unknown[] {
    const sent: unknown[] = [];
    vi.stubGlobal("fetch", async (_path: string, init: RequestInit) => {
      sent.push(init.body);
      return sent.length === 1 ? mockGraphqlResponse(refusal, 403) : mockGraphqlResponse({ done: true }, 200);
    });
    onTestFinished(proofRequest.subscribe(() => proofRequest.isOpen() && proofRequest.settle(proves)));
    return sent;
  }
  const call = () => fetchFromApi("/v1/software/upload", "application/json", { body }).catch((error: unknown) => error);

  test("is repeated with the same body after the proof", async () => {
    const sent = answerDialog(true);
    expect(await ((await call()) as Response).json()).toEqual({ done: true });
    expect(sent).toEqual([body.content, body.content]);
    expect(goTo).not.toHaveBeenCalled();
  });

  test("isn't repeated if the user cancels, and stays on the page", async () => {
    const sent = answerDialog(false);
    expect(formatError(await call(), "Unable to upload.")).toBe(NOT_PROVED);
    expect(sent).toHaveLength(1);
    expect(goTo).not.toHaveBeenCalled();
  });
});
