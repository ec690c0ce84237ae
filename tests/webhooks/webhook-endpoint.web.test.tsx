import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { pendingDelivery, shownAttempt, shownDelivery, shownEndpoint } from "#tests/factories/shown-webhook.ts";
import { fill } from "#tests/support/fill-form.ts";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import { dialogOf } from "#tests/support/webhooks-page.tsx";
import DataLayer from "#web/app/data-layer.tsx";
import { WebhookEndpoint } from "#web/features/webhooks/webhook-endpoint.tsx";
import { notify } from "#web/ui/notifications.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
  signInAs("regular");
});

const pageOf = (rows: object[], changes: object = {}, endpoint: object = {}) => ({
  webhookEndpoint: {
    ...shownEndpoint(endpoint),
    deliveries: {
      __typename: "WebhookDeliveryPage",
      rows,
      total: rows.length,
      page: 1,
      pageSize: 20,
      ...changes,
    },
  },
});

function open(answers: Record<string, Answer>) {
  const asked = playApi(answers);
  const view = renderWeb(
    <DataLayer>
      <WebhookEndpoint endpointId="endpoint-1" />
    </DataLayer>,
    { at: "/webhooks/endpoint-1/" },
  );
  const sent = (operation: string) =>
    asked.filter((one) => one.operation === operation).map(({ variables }) => variables);
  const press = async (name: string | RegExp) => view.user.click(await screen.findByRole("button", { name }));
  return { ...view, sent, press };
}

const outcome = () => screen.getByRole("status", { name: "Outcome" });

const rowNames = () =>
  within(screen.getByRole("list", { name: "Deliveries" }))
    .getAllByRole("button", { expanded: false })
    .map(({ textContent }) => textContent);

test("the log tells of each delivery its event, status, attempts and when the next one is", async () => {
  open({
    WebhookDeliveries: pageOf([
      pendingDelivery("d-1"),
      shownDelivery("d-2", {
        eventType: "invoice.paid",
        status: "pending",
        deliveredAt: null,
        nextAttemptAt: "2026-11-22T02:00:00Z",
        attempts: [shownAttempt({ responseStatus: 500 }), shownAttempt({ id: "a-2", responseStatus: 500 })],
      }),
      shownDelivery("d-3"),
      shownDelivery("d-4", { status: "failed", deliveredAt: null }),
    ]),
  });
  await screen.findByRole("list", { name: "Deliveries" });
  expect(rowNames()).toEqual([
    expect.stringMatching(/^Pending webhook\.test 21\/11\/2026 \d\d:\d\d Not tried yet$/),
    expect.stringMatching(/^To be tried again invoice\.paid .* 2 attempts, next at 22\/11\/2026 \d\d:\d\d$/),
    expect.stringMatching(/^Delivered licence\.issued .* 1 attempt$/),
    expect.stringMatching(/^Failed licence\.issued .* 1 attempt$/),
  ]);
  expect(screen.getByText("1–4 of 4")).toBeTruthy();
});

test("a delivery opens to its payload as formatted JSON and to every attempt with its answer", async () => {
  const attempts = [
    shownAttempt({ id: "a-1", responseStatus: null, responseBody: null, error: "No answer within 10 seconds." }),
    shownAttempt({ id: "a-2", responseStatus: 503, responseBody: "", error: "Answered 503.", durationMs: 2_400 }),
    shownAttempt({ id: "a-3", responseBody: '{"ok":true}' }),
  ];
  const { user, press } = open({ WebhookDeliveries: pageOf([shownDelivery("d-1", { attempts })]) });
  await press(/licence\.issued/);
  const items = within(await screen.findByRole("region", { name: "Attempts" })).getAllByRole("listitem");
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Attempt 3 200 .* 120 msAnswer\{\n {2}"ok": true\n\}$/),
    expect.stringMatching(/^Attempt 2 503 .* 2\.4 sAnswered 503\.The answer has no text\.$/),
    expect.stringMatching(/^Attempt 1 No answer 21\/11\/2026 .* 120 msNo answer within 10 seconds\.$/),
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

test("the log is narrowed to a status and read page by page, and says when a part is empty", async () => {
  const { sent, press } = open({
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
  open({ WebhookDeliveries: pageOf([]) });
  expect(await screen.findByText(/^Nothing was sent yet\. Send a test event/)).toBeTruthy();
});

test("a test event is sent once, followed until it was tried, and its outcome is announced", async () => {
  let looks = 0;
  const tried = shownDelivery("d-9", { eventType: "webhook.test" });
  const { user, sent, press } = open({
    WebhookDeliveries: () => {
      if (sent("SendTestWebhook").length === 0) return pageOf([]);
      looks += 1;
      return pageOf([looks > 1 ? tried : pendingDelivery("d-9")]);
    },
    SendTestWebhook: { sendTestWebhook: pendingDelivery("d-9") },
  });
  await user.dblClick(await screen.findByRole("button", { name: "Send Test Event" }));
  const status = outcome();
  await waitFor(() => expect(status.textContent).toContain("Sending the test event…"));
  await waitFor(
    () => expect(status.textContent).toBe("The test event was deliveredYour endpoint answered 200 after 120 ms."),
    { timeout: 6_000 },
  );
  expect(sent("SendTestWebhook")).toEqual([{ id: "endpoint-1" }]);
  expect(rowNames()).toEqual([expect.stringMatching(/^Delivered webhook\.test/)]);
  await press("Show the Delivery");
  const row = await screen.findByRole("button", { name: /^Delivered webhook\.test/, expanded: true });
  expect(document.activeElement).toBe(row);
});

test.each([
  [
    { status: "pending", nextAttemptAt: "2026-11-22T02:00:00Z", attempts: [shownAttempt({ responseStatus: 500 })] },
    /^The test event was not deliveredYour endpoint answered 500\. We try again at 22\/11\/2026/,
  ],
  [
    { status: "failed", attempts: [shownAttempt({ responseStatus: null, error: "The connection was refused." })] },
    /^The test event was not deliveredThe connection was refused\.$/,
  ],
])("a test event that does not arrive says why (%#)", async (changes, words) => {
  const tried = shownDelivery("d-9", { eventType: "webhook.test", deliveredAt: null, ...changes });
  const { sent, press } = open({
    WebhookDeliveries: () => pageOf(sent("SendTestWebhook").length === 0 ? [] : [tried]),
    SendTestWebhook: { sendTestWebhook: pendingDelivery("d-9") },
  });
  await press("Send Test Event");
  await waitFor(() => expect(outcome().textContent).toMatch(words));
});

test("a look that fails is followed by another, and the page stays", async () => {
  let looks = 0;
  const { press, place } = open({
    WebhookDeliveries: () => {
      looks += 1;
      if (looks === 2) throw new TypeError("Failed to fetch");
      return pageOf(looks === 1 ? [] : [shownDelivery("d-9")]);
    },
    SendTestWebhook: { sendTestWebhook: pendingDelivery("d-9") },
  });
  await press("Send Test Event");
  await waitFor(() => expect(outcome().textContent).toContain("was delivered"), { timeout: 6_000 });
  expect(place()).toBe("/webhooks/endpoint-1/");
});

test("a replay makes a delivery of its own, which stands first and is followed", async () => {
  const old = shownDelivery("d-1", { status: "failed", deliveredAt: null });
  const { sent, press } = open({
    WebhookDeliveries: () => pageOf(sent("ReplayWebhookDelivery").length === 0 ? [old] : [shownDelivery("d-2"), old]),
    ReplayWebhookDelivery: { replayWebhookDelivery: pendingDelivery("d-2", { eventType: "licence.issued" }) },
  });
  await press(/^Failed licence\.issued/);
  await press("Replay licence.issued");
  await waitFor(() => expect(outcome().textContent).toMatch(/^The event was delivered/));
  expect(sent("ReplayWebhookDelivery")).toEqual([{ id: "d-1" }]);
  const rows = within(screen.getByRole("list", { name: "Deliveries" }));
  expect(rows.getByRole("button", { name: /^Delivered licence\.issued/ })).toBeTruthy();
});

test("a refusal to send or to replay is told", async () => {
  const { press } = open({
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
  const { sent, press } = open({
    WebhookDeliveries: () => pageOf([shownDelivery("d-1", { status: "failed" })], {}, off),
    UpdateWebhookEndpoint: () => {
      off = {};
      return { updateWebhookEndpoint: shownEndpoint() };
    },
  });
  expect(await screen.findByText(/^We turned this endpoint off on 21\/11\/2026/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Send Test Event" })).toBeNull();
  await press(/^Failed licence\.issued/);
  expect(screen.getByText("Turn the endpoint on to replay this.")).toBeTruthy();
  expect(screen.getByText(/Every attempt of the last 5 days failed\./)).toBeTruthy();
  await press("Turn On");
  expect(await screen.findByRole("button", { name: "Turn Off" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Replay licence.issued" })).toBeTruthy();
  expect(screen.queryByText(/^We turned this endpoint off/)).toBeNull();
  expect(sent("UpdateWebhookEndpoint")).toMatchObject([{ id: "endpoint-1", input: { enabled: true } }]);
});

test("a deleted endpoint leads to the list", async () => {
  const { user, press, place } = open({
    WebhookDeliveries: pageOf([]),
    DeleteWebhookEndpoint: { deleteWebhookEndpoint: true },
  });
  await press("Delete");
  const question = await dialogOf("Delete Endpoint");
  await user.click(question.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(place()).toBe("/webhooks/"));
});

test("an endpoint that is not there says so; one that can't be fetched is fetched again", async () => {
  const gone = open({ WebhookDeliveries: { webhookEndpoint: null } });
  expect(await screen.findByText("There is no such endpoint. It may have been deleted.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Go to Webhooks" }).getAttribute("href")).toBe("/webhooks/");
  gone.unmount();
  let isUp = false;
  const { press } = open({ WebhookDeliveries: () => (isUp ? pageOf([]) : new Refusal("INTERNAL", "")) });
  expect(await screen.findByText("Unable to load the webhook endpoint.")).toBeTruthy();
  isUp = true;
  await press("Try Again");
  expect(await screen.findByRole("heading", { name: "https://example.com/webhooks" })).toBeTruthy();
});

test("another page that can't be fetched takes the place of the rows", async () => {
  let isUp = false;
  const { press } = open({
    WebhookDeliveries: ({ page }) =>
      page === 1 || isUp
        ? pageOf([shownDelivery(`of-page-${String(page)}`)], { total: 45, page })
        : new Refusal("INTERNAL", ""),
  });
  await press("Page 2");
  expect(await screen.findByText("Unable to load the deliveries.")).toBeTruthy();
  isUp = true;
  await press("Try Again");
  expect(await screen.findByText("21–21 of 45")).toBeTruthy();
});
