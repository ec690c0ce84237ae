import { render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { TWO_STEP_REQUIRED, VIEW_ONLY } from "#schema/error-codes.ts";
import { UploadSoftwareDocument } from "#web/generated/graphql.ts";
import { fetchFromApi } from "#web/platform/fetch-from-api.ts";
import { installNavigator } from "#web/platform/navigator.ts";
import { notices, notify } from "#web/platform/notifications.ts";
import { formatError, NetworkFailure } from "#web/platform/server-error.ts";
import { NOT_PROVED, proofRequest } from "#web/platform/step-up.ts";
import { showUncaughtErrors } from "#web/platform/uncaught-errors.ts";
import { uploadGraphql } from "#web/platform/upload-graphql.ts";
import { NotificationHost } from "#web/ui/notification-host.tsx";
import { createFile, FakeUpload, holdUploads } from "#tests/support/fake-upload.ts";
import { mockGraphqlResponse, resetSession, signInAs } from "#tests/support/render-web.tsx";

const goTo = vi.fn();
let uninstall: () => void;
const respondWith = (status: number, body: unknown) =>
  vi.stubGlobal("fetch", async () => mockGraphqlResponse(body, status));
const fetchResult = () => fetchFromApi("/v1/admin/bulk-runs/1/result", "text/csv").catch((error: unknown) => error);

beforeEach(() => {
  resetSession();
  window.history.replaceState(null, "", "/");
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
  expect(notices.get().map(({ message }) => message)).toEqual([VIEW_ONLY]);
  expect(goTo).not.toHaveBeenCalled();
});

test("stays on the page after other errors and lost responses", async () => {
  respondWith(400, { endDate: ["End date is before start date."] });
  expect(formatError(await fetchResult(), "Unable to download.")).toBe("End date is before start date.");
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

describe("an upload that the API refuses without a recent proof", () => {
  const uploaded = { id: "b-74", stage: "ALPHA", stageLabel: "Alpha", version: "7.4.0", versionSource: "GIVEN" };
  const refusal = { message: "Please confirm that it's you first.", extensions: { code: "STEP_UP_REQUIRED" } };

  beforeEach(() => {
    resetSession();
    signInAs("admin");
    holdUploads();
  });

  /** Starts an upload that the API refuses without a recent proof, and answers the dialog. */
  async function uploadWithOldProof(proves: boolean) {
    onTestFinished(proofRequest.subscribe(() => proofRequest.isOpen() && proofRequest.settle(proves)));
    const variables = { input: { softwareStage: "ALPHA", version: null }, installationFile: createFile("Setup.exe") };
    const options = { onProgress: vi.fn(), onForbidden: vi.fn(), signal: new AbortController().signal };
    const result = uploadGraphql(UploadSoftwareDocument, variables as never, options).catch((error: unknown) => error);
    await vi.waitFor(() => expect(FakeUpload.begun).toHaveLength(1));
    FakeUpload.begun[0]?.answer({ errors: [refusal] });
    return { result, options };
  }

  test("sends the same files again after a proof of identity", async () => {
    const { result } = await uploadWithOldProof(true);
    await vi.waitFor(() => expect(FakeUpload.begun).toHaveLength(2));
    const [first, second] = FakeUpload.begun.map(({ body }) => [...body.values()]);
    expect(second).toEqual(first);
    FakeUpload.begun[1]?.answer({ data: { uploadSoftware: uploaded } });
    expect(await result).toEqual({ uploadSoftware: uploaded });
  });

  test("says that nothing was changed if the user cancels, and stays on the page", async () => {
    const { result, options } = await uploadWithOldProof(false);
    expect(formatError(await result, "Unable to upload.")).toBe(NOT_PROVED);
    expect(FakeUpload.begun).toHaveLength(1);
    expect(options.onForbidden).not.toHaveBeenCalled();
  });
});

const DEFAULT_MESSAGE = "Oops, something went wrong. Check the console logs for details.";

const createRejection = (reason: unknown): Event =>
  Object.assign(new Event("unhandledrejection", { cancelable: true }), { reason });

test("shows an uncaught error and logs it once", async () => {
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
