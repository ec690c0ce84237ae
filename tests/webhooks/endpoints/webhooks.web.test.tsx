import { screen, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { buildEndpoint } from "#tests/factories/webhook-view.ts";
import { resetSession } from "#tests/support/render-web.tsx";
import { buildEndpointList, openWebhooks } from "#tests/support/webhooks-page.tsx";
import { customerEventTypes, webhookEvents } from "#schema/webhooks.ts";
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
