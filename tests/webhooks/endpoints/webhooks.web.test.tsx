import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { buildEndpoint } from "#tests/factories/webhook-view.ts";
import { fill } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { buildEndpointList, openWebhooks } from "#tests/support/webhooks-page.tsx";
import { customerEventTypes, webhookEvents } from "#schema/webhooks.ts";
import { AppRoutes } from "#web/app/router.tsx";
import { notify } from "#web/platform/notifications.ts";
import { toCode } from "#schema/closed-list.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
});

test("explains webhooks and their events when there is no endpoint", async () => {
  openWebhooks({ WebhookEndpoints: buildEndpointList() });
  expect(await screen.findByRole("heading", { name: "No endpoints yet" })).toBeTruthy();
  expect(screen.getByText(/A webhook is a message from us to your own software/)).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
  const events = screen.getAllByRole("term").map(({ textContent }) => textContent);
  expect(events).toEqual(customerEventTypes);
  for (const definition of screen.getAllByRole("definition")) expect(definition.textContent).toMatch(/\w+\.$/);
  const documentation = screen.getByRole("link", { name: "Read the webhook documentation" });
  expect(documentation.getAttribute("href")).toBe("/v1/docs#webhooks");
  expect(screen.getByRole("button", { name: "Add endpoint" })).toBeTruthy();
});

test("lists URL, events, status with reason and the last delivery", async () => {
  const failing = {
    id: "endpoint-2",
    url: "https://old.example.com/hook",
    description: "",
    eventTypes: customerEventTypes.map((type) => toCode(webhookEvents, type)),
    enabled: false,
    disabledAt: "2026-11-21T02:00:00Z",
    disabledReason: "Every attempt of the last 5 days failed.",
    lastStatus: "FAILED",
    lastDeliveryAt: "2026-11-21T02:00:00Z",
  };
  const off = { id: "endpoint-3", url: "https://off.example.com/", enabled: false, eventTypes: ["INVOICE_PAID"] };
  openWebhooks({
    WebhookEndpoints: buildEndpointList(
      buildEndpoint({ lastStatus: "DELIVERED", lastDeliveryAt: "2026-11-22T02:00:00Z" }),
      buildEndpoint(failing),
      buildEndpoint(off),
    ),
  });
  const table = within(await screen.findByRole("table", { name: "Webhook endpoints" }));
  const link = await table.findByRole("link", { name: "https://example.com/webhooks" });
  expect(link.getAttribute("href")).toBe("/webhooks/endpoint-1/");
  const cells = table
    .getAllByRole("row")
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole("cell")
        .map(({ textContent }) => textContent),
    );
  expect(cells.map(([, events, status]) => [events, status])).toEqual([
    ["2 events", "Enabled"],
    ["All events", "Turned off by usEvery attempt of the last 5 days failed."],
    ["invoice.paid", "Turned off"],
  ]);
  expect(cells[0]?.[0]).toContain("Production");
  expect(cells[0]?.[3]).toMatch(/^Delivered 22 Nov 2026/);
  expect(cells[1]?.[3]).toMatch(/^Failed 21 Nov 2026/);
  expect(cells[2]?.[3]).toBe("None yet");
});

test("searches URLs, descriptions and events", async () => {
  openWebhooks({
    WebhookEndpoints: buildEndpointList(
      buildEndpoint(),
      buildEndpoint({ id: "two", url: "https://b.example.com/", description: "", eventTypes: ["LICENCE_REVOKED"] }),
    ),
  });
  await screen.findByRole("link", { name: "https://b.example.com/" });
  for (const [query, found] of [
    ["production", "https://example.com/webhooks"],
    ["revoked", "https://b.example.com/"],
  ] as const) {
    fill({ Search: query });
    await waitFor(() => expect(screen.getAllByRole("row").length).toBe(2));
    expect(screen.getByRole("link", { name: found })).toBeTruthy();
  }
});

test("shows an explanation instead of the button when the limit is reached", async () => {
  const ten = Array.from({ length: 10 }, (_, index) =>
    buildEndpoint({ id: `endpoint-${index}`, url: `https://example.com/${"a".repeat(480)}${index}` }),
  );
  openWebhooks({ WebhookEndpoints: buildEndpointList(...ten) });
  expect(
    await screen.findByText("You have reached the limit of 10 endpoints. Delete one to add another."),
  ).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Add endpoint" })).toBeNull();
});

test("shows an error with a retry if the endpoints can't be loaded", async () => {
  let isUp = false;
  const { press } = openWebhooks({
    WebhookEndpoints: () => (isUp ? buildEndpointList(buildEndpoint()) : new MockedError("INTERNAL", "")),
  });
  expect(await screen.findByText("Unable to load your webhook endpoints.")).toBeTruthy();
  isUp = true;
  await press("Try again");
  expect(await screen.findByRole("link", { name: "https://example.com/webhooks" })).toBeTruthy();
});

test.each([
  ["regular", /your licences, subscription and invoices/],
  ["corporate", /your licences, subscription and invoices/],
  ["admin", /every customer's/],
] as const)("shows %s users the page with a link back to Developers", async (role, lead) => {
  signInAs(role);
  mockApi({ WebhookEndpoints: buildEndpointList() });
  renderWeb(<AppRoutes />, { at: "/webhooks/" });
  expect(await screen.findByRole("heading", { level: 1, name: "Webhooks" })).toBeTruthy();
  expect(screen.getByText(lead)).toBeTruthy();
  const link = screen.getAllByRole("link").find(({ textContent }) => textContent === "← Developers");
  expect(link).toBeTruthy();
});

test("redirects a visitor to sign-in and back", async () => {
  for (const at of ["/webhooks/", "/webhooks/endpoint-1/"]) {
    const { place, unmount } = renderWeb(<AppRoutes />, { at });
    await waitFor(() => expect(place()).toBe(`/login/?returnUrl=${encodeURIComponent(at)}`));
    unmount();
  }
});
