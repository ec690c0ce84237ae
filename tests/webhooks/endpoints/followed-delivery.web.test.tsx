import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { interruptedAttempt, pendingDelivery, buildAttempt, buildDelivery } from "#tests/factories/webhook-view.ts";
import { MockedError } from "#tests/support/mock-api.ts";
import { resetSession } from "#tests/support/render-web.tsx";
import { openEndpoint, buildEndpointPage, listRowNames } from "#tests/support/webhooks-page.tsx";

beforeEach(resetSession);

/**
 * Opens an endpoint whose log has two pages, and first the delivery that `look` returns for the number of looks since a test
 * event was sent.
 */
function openSending(look: (looks: number) => object, answers: Parameters<typeof openEndpoint>[0] = {}) {
  let looks = 0;
  const view: ReturnType<typeof openEndpoint> = openEndpoint({
    WebhookDeliveries: ({ offset }) =>
      buildEndpointPage(offset === 0 && view.sent("SendTestWebhook").length > 0 ? [look(++looks)] : [], { total: 21 }),
    SendTestWebhook: { sendTestWebhook: pendingDelivery("d-9") },
    ...answers,
  });
  return view;
}

const outcome = () => screen.getByRole("status", { name: "Outcome" });

test("sends a test event once and announces its result", async () => {
  const tried = buildDelivery("d-9", { eventType: "WEBHOOK_TEST" });
  const { user, sent, press } = openSending((looks) => (looks > 1 ? tried : pendingDelivery("d-9")));
  await user.dblClick(await screen.findByRole("button", { name: "Send test event" }));
  const status = outcome();
  await waitFor(() => expect(status.textContent).toContain("Sending the test event…"));
  await waitFor(
    () =>
      expect(status.textContent).toBe(
        "The test event was deliveredYour endpoint responded with status 200 after 120 ms.",
      ),
    { timeout: 6_000 },
  );
  expect(sent("SendTestWebhook")).toEqual([{ id: "endpoint-1" }]);
  expect(listRowNames()).toEqual([expect.stringMatching(/^Delivered webhook\.test/)]);
  // On another page of the log, it opens the first one.
  await press("Page 2");
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Delivered webhook\.test/ })).toBeNull());
  await press("Show delivery");
  const row = await screen.findByRole("button", { name: /^Delivered webhook\.test/, expanded: true });
  expect(document.activeElement).toBe(row);
});

test.each([
  [
    { status: "PENDING", nextAttemptAt: "2026-11-22T02:00:00Z", attempts: [buildAttempt({ responseStatus: 500 })] },
    /^The test event was not deliveredYour endpoint responded with status 500\. We will try again after 24 hours, at 22 Nov 2026, 10:00:00 am AWST\. Refresh the deliveries below/,
  ],
  [
    { status: "FAILED", attempts: [buildAttempt({ responseStatus: null, error: "The connection was refused." })] },
    /^The test event was not deliveredThe connection was refused\.$/,
  ],
  [
    { status: "PENDING", nextAttemptAt: "2026-11-21T02:00:00Z", attempts: [interruptedAttempt()] },
    /^The test event was interruptedOur server was interrupted before .* received the event\. We will send it again in a moment\.$/,
  ],
])("shows why a test event was not delivered (%#)", async (changes, message) => {
  const tried = buildDelivery("d-9", { eventType: "WEBHOOK_TEST", deliveredAt: null, ...changes });
  const { press } = openSending(() => tried);
  await press("Send test event");
  await waitFor(() => expect(outcome().textContent).toMatch(message));
});

const failedOnce = {
  status: "PENDING",
  deliveredAt: null,
  nextAttemptAt: "2026-11-21T02:00:06.120Z",
  attempts: [buildAttempt({ responseStatus: 500 })],
};

test("follows a retry within seconds and replaces the failure with its result", async () => {
  const { press } = openSending((looks) => buildDelivery("d-9", looks > 1 ? {} : failedOnce));
  await press("Send test event");
  await waitFor(() =>
    expect(outcome().textContent).toMatch(
      /was not deliveredYour endpoint responded with status 500\. We will try again after 5 seconds, at 21 Nov 2026, 10:00:06 am AWST\.$/,
    ),
  );
  await waitFor(() => expect(outcome().textContent).toContain("The test event was delivered"), { timeout: 6_000 });
  expect(listRowNames()).toEqual([expect.stringMatching(/^Delivered licence\.issued/)]);
});

test("updates the result after a refresh and clears it for another delivery", async () => {
  let isFixed = false;
  const far = { ...failedOnce, nextAttemptAt: "2026-11-21T02:05:01Z" };
  const { press } = openSending(() => buildDelivery("d-9", isFixed ? {} : far), {
    ReplayWebhookDelivery: new MockedError("RATE_LIMITED", "Too many replays."),
  });
  await press("Send test event");
  await waitFor(() =>
    expect(outcome().textContent).toMatch(/We will try again after 5 minutes, .* to see the result\.$/),
  );
  isFixed = true;
  await press("Refresh");
  await waitFor(() => expect(outcome().textContent).toContain("The test event was delivered"));
  await press(/^Delivered licence\.issued/);
  await press("Replay licence.issued");
  expect(await screen.findByText("Too many replays.")).toBeTruthy();
  expect(outcome().textContent).toBe("");
});

test("keeps polling on the same page after a failed request", async () => {
  let looks = 0;
  const { press, place } = openEndpoint({
    WebhookDeliveries: () => {
      looks += 1;
      if (looks === 2) throw new TypeError("Failed to fetch");
      return buildEndpointPage(looks === 1 ? [] : [buildDelivery("d-9")]);
    },
    SendTestWebhook: { sendTestWebhook: pendingDelivery("d-9") },
  });
  await press("Send test event");
  await waitFor(() => expect(outcome().textContent).toContain("was delivered"), { timeout: 6_000 });
  expect(place()).toBe("/webhooks/endpoint-1/");
});

test("replays a delivery as a new one and updates its status", async () => {
  const old = buildDelivery("d-1", { status: "FAILED", deliveredAt: null });
  const { sent, press } = openEndpoint({
    WebhookDeliveries: () =>
      buildEndpointPage(sent("ReplayWebhookDelivery").length === 0 ? [old] : [buildDelivery("d-2"), old]),
    ReplayWebhookDelivery: { replayWebhookDelivery: pendingDelivery("d-2", { eventType: "LICENCE_ISSUED" }) },
  });
  await press(/^Failed licence\.issued/);
  await press("Replay licence.issued");
  await waitFor(() => expect(outcome().textContent).toMatch(/^The event was delivered/));
  expect(sent("ReplayWebhookDelivery")).toEqual([{ id: "d-1" }]);
  const rows = within(screen.getByRole("list", { name: "Deliveries" }));
  expect(rows.getByRole("button", { name: /^Delivered licence\.issued/ })).toBeTruthy();
});
