import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import {
  interruptedAttempt,
  pendingDelivery,
  shownAttempt,
  shownDelivery,
  shownEndpoint,
} from "#tests/factories/shown-webhook.ts";
import { fill } from "#tests/support/fill-form.ts";
import { Refusal } from "#tests/support/play-api.ts";
import { signedOut } from "#tests/support/render-web.tsx";
import { dialogOf, openEndpoint, pageOf, rowNames } from "#tests/support/webhooks-page.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
});

test("the log tells of each delivery its event, status, attempts and when the next one is", async () => {
  openEndpoint({
    WebhookDeliveries: pageOf([
      pendingDelivery("d-1"),
      shownDelivery("d-2", {
        eventType: "invoice.paid",
        status: "pending",
        deliveredAt: null,
        nextAttemptAt: "2026-11-21T02:01:01.120Z",
        attempts: [shownAttempt({ responseStatus: 500 }), shownAttempt({ id: "a-2", responseStatus: 500 })],
      }),
      shownDelivery("d-3"),
      shownDelivery("d-4", { status: "failed", deliveredAt: null }),
    ]),
  });
  await screen.findByRole("list", { name: "Deliveries" });
  expect(rowNames()).toEqual([
    expect.stringMatching(/^Pending webhook\.test 21 Nov 2026, 10:00:00 am AWST Not tried yet$/),
    expect.stringMatching(
      /^To be tried again invoice\.paid .* 2 attempts, next 1 minute later, at 21 Nov 2026, 10:01:01 am AWST$/,
    ),
    expect.stringMatching(/^Delivered licence\.issued .* 1 attempt$/),
    expect.stringMatching(/^Failed licence\.issued .* 1 attempt$/),
  ]);
  expect(screen.getByText("1–4 of 4")).toBeTruthy();
});

test("a delivery opens to its payload as formatted JSON and to every attempt with its answer", async () => {
  const attempts = [
    shownAttempt({ id: "a-1", responseStatus: null, responseBody: null, error: "No answer within 10 seconds." }),
    shownAttempt({ id: "a-2", responseStatus: 503, responseBody: "", error: "Answered 503.", durationMs: 2_400 }),
    shownAttempt({ id: "a-3", responseStatus: 500, responseBody: "Oops", error: "It answered 500." }),
    shownAttempt({ id: "a-4", responseBody: '{"ok":true}' }),
  ];
  const { user, press } = openEndpoint({ WebhookDeliveries: pageOf([shownDelivery("d-1", { attempts })]) });
  await press(/licence\.issued/);
  const items = within(await screen.findByRole("region", { name: "Attempts" })).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Attempt 4 200 .* 120 msAnswer\{\n {2}"ok": true\n\}$/),
    // What the status says already is not said twice.
    expect.stringMatching(/^Attempt 3 500 .* 120 msAnswerOops$/),
    expect.stringMatching(/^Attempt 2 503 .* 2\.4 sAnswered 503\.The answer has no text\.$/),
    expect.stringMatching(/^Attempt 1 No answer 21 Nov 2026, 10:00:01 am AWST 120 msNo answer within 10 seconds\.$/),
  ]);
  const payload = '{\n  "id": "event-of-d-1",\n  "type": "licence.issued",\n  "data": {}\n}';
  expect(screen.getByRole("group", { name: "Payload of licence.issued" }).textContent).toBe(payload);
  const copy = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(copy);
  await user.click(screen.getByRole("button", { name: "Copy" }));
  expect(await screen.findByText("The payload has been copied to clipboard.")).toBeTruthy();
  expect(copy).toHaveBeenCalledWith(payload);
  await press(/^Delivered licence\.issued/);
  await waitFor(() => expect(screen.queryByRole("region", { name: "Attempts" })).toBeNull());
});

test("an interrupted attempt is told as such, and that the event is sent again; no time is made up", async () => {
  const attempts = [interruptedAttempt()];
  const waiting = { status: "pending", deliveredAt: null, nextAttemptAt: "2026-11-21T02:00:00Z" };
  const { press } = openEndpoint({
    WebhookDeliveries: pageOf([
      shownDelivery("d-1", { ...waiting, attempts }),
      shownDelivery("d-2", { attempts: [...attempts, shownAttempt({ id: "a-2" })] }),
    ]),
  });
  await screen.findByRole("list", { name: "Deliveries" });
  expect(rowNames()).toEqual([
    expect.stringMatching(/^To be tried again licence\.issued .* 1 attempt, next in a moment$/),
    expect.stringMatching(/^Delivered licence\.issued .* 2 attempts$/),
  ]);
  await press(/^To be tried again/);
  const items = within(await screen.findByRole("region", { name: "Attempts" })).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    "Attempt 1 Interrupted 21 Nov 2026, 10:00:01 am AWST We were interrupted before the answer came, so your endpoint may have received it or not.",
  ]);
  expect(screen.getByText("Next attempt").nextSibling?.textContent).toBe("In a moment");
});

test("the log is narrowed to a status and read page by page, and says when a part is empty", async () => {
  const { sent, press } = openEndpoint({
    WebhookDeliveries: ({ page, status }) =>
      status === "failed" ? pageOf([]) : pageOf([shownDelivery(`of-page-${String(page)}`)], { total: 45, page }),
  });
  expect(await screen.findByText("1–1 of 45")).toBeTruthy();
  await press("Page 3");
  expect(await screen.findByText("41–41 of 45")).toBeTruthy();
  fill({ Status: "failed" });
  expect(await screen.findByText("No delivery has the status “Failed”.")).toBeTruthy();
  expect(sent("WebhookDeliveries").map(({ page, status }) => [page, status])).toEqual([
    [1, null],
    [3, null],
    [1, "failed"],
  ]);
  await press("Show All");
  expect(await screen.findByText("1–1 of 45")).toBeTruthy();
});

test("nothing sent yet leads to the test event", async () => {
  openEndpoint({ WebhookDeliveries: pageOf([]) });
  expect(await screen.findByText(/^Nothing was sent yet\. Send a test event/)).toBeTruthy();
});

test("a refusal to send or to replay is told", async () => {
  const { press } = openEndpoint({
    WebhookDeliveries: pageOf([shownDelivery("d-1")]),
    SendTestWebhook: new Refusal("RATE_LIMITED", "Too many test events. Wait a minute."),
    ReplayWebhookDelivery: new Refusal("INTERNAL", ""),
  });
  await press("Send Test Event");
  expect(await screen.findByText("Too many test events. Wait a minute.")).toBeTruthy();
  await press(/^Delivered licence\.issued/);
  await press("Replay licence.issued");
  expect(await screen.findByText("Unable to replay the delivery.")).toBeTruthy();
});

test("an endpoint that we turned off says why, and can be turned on", async () => {
  let off: object = {
    enabled: false,
    disabledAt: "2026-11-21T02:00:00Z",
    disabledReason: "Every attempt of the last 5 days failed.",
  };
  const { sent, press } = openEndpoint({
    WebhookDeliveries: () => pageOf([shownDelivery("d-1", { status: "failed" })], {}, off),
    UpdateWebhookEndpoint: () => {
      off = {};
      return { updateWebhookEndpoint: shownEndpoint() };
    },
  });
  expect(await screen.findByText(/^We turned this endpoint off on 21 Nov 2026/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Send Test Event" })).toBeNull();
  await press(/^Failed licence\.issued/);
  expect(screen.getByText("Turn the endpoint on to replay this.")).toBeTruthy();
  expect(screen.getByText(/Every attempt of the last 5 days failed\. Turn it on when it is ready/)).toBeTruthy();
  await press("Turn On");
  expect(await screen.findByRole("button", { name: "Turn Off" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Replay licence.issued" })).toBeTruthy();
  expect(screen.queryByText(/^We turned this endpoint off/)).toBeNull();
  expect(sent("UpdateWebhookEndpoint")).toMatchObject([{ id: "endpoint-1", input: { enabled: true } }]);
});

test("a deleted endpoint leads to the list", async () => {
  const { user, press, place } = openEndpoint({
    WebhookDeliveries: pageOf([]),
    DeleteWebhookEndpoint: { deleteWebhookEndpoint: true },
  });
  await press("Delete");
  const question = await dialogOf("Delete Endpoint");
  await user.click(question.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(place()).toBe("/webhooks/"));
});

test("an endpoint that is not there says so; one that can't be fetched is fetched again", async () => {
  const gone = openEndpoint({ WebhookDeliveries: { webhookEndpoint: null } });
  expect(await screen.findByText("There is no such endpoint. It may have been deleted.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to Webhooks" }).getAttribute("href")).toBe("/webhooks/");
  gone.unmount();
  let isUp = false;
  const { press } = openEndpoint({ WebhookDeliveries: () => (isUp ? pageOf([]) : new Refusal("INTERNAL", "")) });
  expect(await screen.findByText("Unable to load the webhook endpoint.")).toBeTruthy();
  isUp = true;
  await press("Try again");
  expect(await screen.findByRole("heading", { name: "https://example.com/webhooks" })).toBeTruthy();
});

test("another page that can't be fetched takes the place of the rows", async () => {
  let isUp = false;
  const { press } = openEndpoint({
    WebhookDeliveries: ({ page }) =>
      page === 1 || isUp
        ? pageOf([shownDelivery(`of-page-${String(page)}`)], { total: 45, page })
        : new Refusal("INTERNAL", ""),
  });
  await press("Page 2");
  expect(await screen.findByText("Unable to load the deliveries.")).toBeTruthy();
  isUp = true;
  await press("Try again");
  expect(await screen.findByText("21–21 of 45")).toBeTruthy();
});
