import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import {
  interruptedAttempt,
  pendingDelivery,
  buildAttempt,
  buildDelivery,
  buildEndpoint,
} from "#tests/factories/webhook-view.ts";
import { field, fill } from "#tests/support/fill-form.ts";
import { MockedError } from "#tests/support/mock-api.ts";
import { resetSession } from "#tests/support/render-web.tsx";
import { findDialog, openEndpoint, buildEndpointPage, listRowNames } from "#tests/support/webhooks-page.tsx";
import { textWithTimes } from "#tests/support/text-with-times.ts";

beforeEach(resetSession);

test("shows the event, status, attempts and next attempt of each delivery", async () => {
  openEndpoint({
    WebhookDeliveries: buildEndpointPage([
      pendingDelivery("d-1"),
      buildDelivery("d-2", {
        eventType: "INVOICE_PAID",
        status: "PENDING",
        deliveredAt: null,
        nextAttemptAt: "2026-11-21T02:01:01.120Z",
        attempts: [buildAttempt({ responseStatus: 500 }), buildAttempt({ id: "a-2", responseStatus: 500 })],
      }),
      buildDelivery("d-3"),
      buildDelivery("d-4", { status: "FAILED", deliveredAt: null }),
    ]),
  });
  await screen.findByRole("list", { name: "Deliveries" });
  expect(listRowNames()).toEqual([
    expect.stringMatching(/^Pending webhook\.test 21 Nov 2026, 10:00:00 am AWST No attempts yet$/),
    expect.stringMatching(
      /^Retry scheduled invoice\.paid .* 2 attempts, next after 1 minute, at 21 Nov 2026, 10:01:01 am AWST$/,
    ),
    expect.stringMatching(/^Delivered licence\.issued .* 1 attempt$/),
    expect.stringMatching(/^Failed licence\.issued .* 1 attempt$/),
  ]);
  expect(screen.getByText("1–4 of 4")).toBeTruthy();
});

test("expands a delivery to its formatted payload and attempts", async () => {
  const attempts = [
    buildAttempt({ id: "a-1", responseStatus: null, responseBody: null, error: "No answer within 10 seconds." }),
    buildAttempt({ id: "a-2", responseStatus: 503, responseBody: "", error: "Answered 503.", durationMs: 2_400 }),
    buildAttempt({
      id: "a-3",
      responseStatus: 500,
      responseBody: "Oops",
      error: "The endpoint responded with status 500.",
    }),
    buildAttempt({ id: "a-4", responseBody: '{"ok":true}' }),
  ];
  const { user, press } = openEndpoint({ WebhookDeliveries: buildEndpointPage([buildDelivery("d-1", { attempts })]) });
  await press(/licence\.issued/);
  const items = within(await screen.findByRole("region", { name: "Attempts" })).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Attempt 4 200 .* 120 msResponse\{\n {2}"ok": true\n\}$/),
    // The error isn't repeated if the status shows it.
    expect.stringMatching(/^Attempt 3 500 .* 120 msResponseOops$/),
    expect.stringMatching(/^Attempt 2 503 .* 2\.4 sAnswered 503\.The response has no text\.$/),
    expect.stringMatching(/^Attempt 1 No response 21 Nov 2026, 10:00:01 am AWST 120 msNo answer within 10 seconds\.$/),
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

test("shows an interrupted attempt, and says that the event will be sent again 'in a moment'", async () => {
  const attempts = [interruptedAttempt()];
  const waiting = { status: "PENDING", deliveredAt: null, nextAttemptAt: "2026-11-21T02:00:00Z" };
  const { press } = openEndpoint({
    WebhookDeliveries: buildEndpointPage([
      buildDelivery("d-1", { ...waiting, attempts }),
      buildDelivery("d-2", { attempts: [...attempts, buildAttempt({ id: "a-2" })] }),
    ]),
  });
  await screen.findByRole("list", { name: "Deliveries" });
  expect(listRowNames()).toEqual([
    expect.stringMatching(/^Retry scheduled licence\.issued .* 1 attempt, next in a moment$/),
    expect.stringMatching(/^Delivered licence\.issued .* 2 attempts$/),
  ]);
  await press(/^Retry scheduled/);
  const items = within(await screen.findByRole("region", { name: "Attempts" })).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    "Attempt 1 Interrupted 21 Nov 2026, 10:00:01 am AWST Our server was interrupted before it got a response. Your endpoint may or may not have received the event.",
  ]);
  expect(screen.getByText("Next attempt").nextSibling?.textContent).toBe("In a moment");
});

test("filters the log by status, shows its pages and says when it is empty", async () => {
  const { sent, press } = openEndpoint({
    WebhookDeliveries: ({ offset, status }) =>
      status === "FAILED"
        ? buildEndpointPage([])
        : buildEndpointPage([buildDelivery(`from-${String(offset)}`)], { total: 45 }),
  });
  expect(await screen.findByText("1–1 of 45")).toBeTruthy();
  await press("Page 3");
  expect(await screen.findByText("41–41 of 45")).toBeTruthy();
  fill({ Status: "FAILED" });
  expect(await screen.findByText("No deliveries have the status “Failed”.")).toBeTruthy();
  expect(screen.getByText("0 matches").tagName).toBe("OUTPUT");
  expect(sent("WebhookDeliveries").map(({ offset, status }) => [offset, status])).toEqual([
    [0, null],
    [40, null],
    [0, "FAILED"],
  ]);
  await press("Show all");
  expect(await screen.findByText("1–1 of 45")).toBeTruthy();
});

test("shows why an endpoint was turned off, turns it on, and moves the focus when it is turned off again", async () => {
  let off: object = {
    enabled: false,
    disabledAt: "2026-11-21T02:00:00Z",
    disabledReason: "Every attempt of the last 5 days failed.",
  };
  const { sent, press, user } = openEndpoint({
    WebhookDeliveries: () => buildEndpointPage([buildDelivery("d-1", { status: "FAILED" })], {}, off),
    UpdateWebhookEndpoint: ({ input }) => {
      off = { enabled: (input as { enabled: boolean }).enabled };
      return { updateWebhookEndpoint: buildEndpoint(off) };
    },
  });
  expect(await screen.findByText(textWithTimes(/^We turned this endpoint off on 21 Nov 2026/))).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Send test event" })).toBeNull();
  await press(/^Failed licence\.issued/);
  expect(screen.getByText("Turn the endpoint on to replay this delivery.")).toBeTruthy();
  expect(screen.getByText(/Every attempt of the last 5 days failed\. Turn it on when it is ready/)).toBeTruthy();
  await press("Turn on");
  expect(await screen.findByRole("button", { name: "Turn off" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Replay licence.issued" })).toBeTruthy();
  expect(screen.queryByText(/^We turned this endpoint off/)).toBeNull();
  expect(sent("UpdateWebhookEndpoint")).toMatchObject([{ id: "endpoint-1", input: { enabled: true } }]);
  await press("Turn off");
  await user.click((await findDialog("Turn off endpoint")).getByRole("button", { name: "Turn off" }));
  const title = await screen.findByRole("heading", { name: "https://example.com/webhooks" });
  await waitFor(() => expect(document.activeElement).toBe(title));
});

test("suggests a test event if there are no deliveries, and returns to the list after deleting the endpoint", async () => {
  const { user, press, place } = openEndpoint({
    WebhookDeliveries: buildEndpointPage([]),
    DeleteWebhookEndpoint: { deleteWebhookEndpoint: { __typename: "DeletedObject", id: "1" } },
  });
  expect(await screen.findByText(/^No deliveries yet\. Send a test event/)).toBeTruthy();
  await press("Delete");
  const dialog = await findDialog("Delete endpoint");
  await user.click(dialog.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(place()).toBe("/webhooks/"));
});

test("shows that an endpoint is missing, and offers a retry if it can't be loaded", async () => {
  const gone = openEndpoint({ WebhookDeliveries: { webhookEndpoint: null } });
  expect(await screen.findByText("This endpoint doesn't exist. It may have been deleted.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to webhooks" }).getAttribute("href")).toBe("/webhooks/");
  gone.unmount();
  let isUp = false;
  const { press } = openEndpoint({
    WebhookDeliveries: () => (isUp ? buildEndpointPage([]) : new MockedError("INTERNAL", "")),
  });
  expect(await screen.findByText("Unable to load the webhook endpoint.")).toBeTruthy();
  isUp = true;
  await press("Try again");
  expect(await screen.findByRole("heading", { name: "https://example.com/webhooks" })).toBeTruthy();
});

test("sends all events since a time again, and keeps the time after a failure", async () => {
  const answers: (object | undefined)[] = [
    new MockedError("INTERNAL", ""),
    { replayWebhookEventsSince: { __typename: "ReplayedEvents", count: 1_200 } },
  ];
  const { sent, press } = openEndpoint({
    WebhookDeliveries: buildEndpointPage([buildDelivery("d-1")]),
    ReplayWebhookEventsSince: () => answers.shift(),
  });
  await press("Send events again");
  await screen.findByLabelText("Since");
  expect(screen.getByText("In your time zone, Australia/Perth")).toBeTruthy();
  fill({ Since: "" });
  await press("Send again");
  expect(await screen.findByText("Choose a time.")).toBeTruthy();
  fill({ Since: "2026-11-20T08:30" });
  const countReads = () => sent("WebhookDeliveries").length;
  const before = countReads();
  await press("Send again");
  expect(await screen.findByText("Unable to send the events again.")).toBeTruthy();
  // The events may have been sent without an answer, so the log is read again.
  await waitFor(() => expect(countReads()).toBeGreaterThan(before));
  expect(field("Since").value).toBe("2026-11-20T08:30");
  await press("Send again");
  expect(await screen.findByText("1,200 events will be sent again.")).toBeTruthy();
  const sentOnce = { id: "endpoint-1", since: new Date("2026-11-20T08:30").toISOString() };
  expect(sent("ReplayWebhookEventsSince")).toEqual([sentOnce, sentOnce]);
});
