import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { buildEndpoint } from "#tests/factories/webhook-view.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { MockedError } from "#tests/support/mock-api.ts";
import { resetSession } from "#tests/support/render-web.tsx";
import { findDialog, waitForClosedDialogs, buildEndpointList, openWebhooks } from "#tests/support/webhooks-page.tsx";
import { customerEventTypes, webhookEvents } from "#schema/webhooks.ts";
import { toCode } from "#schema/closed-list.ts";

beforeEach(resetSession);

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

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

test("adds an endpoint once, shows its secret once and opens its page", async () => {
  const added = buildEndpoint({ id: "endpoint-9" });
  let endpoints: object[] = [];
  const { user, sent, press, place } = openWebhooks({
    WebhookEndpoints: () => buildEndpointList(...endpoints),
    AddWebhookEndpoint: () => {
      endpoints = [added];
      return { addWebhookEndpoint: { __typename: "WebhookEndpointSecret", endpoint: added, secret } };
    },
  });
  await press("Add endpoint");
  const form = await findDialog("Add endpoint");
  const events = form.getByRole("group", { name: "Events" });
  expect(
    within(events)
      .getAllByRole("checkbox")
      .map((box) => box.getAttribute("aria-describedby")),
  ).not.toContain(null);
  fill({ "Endpoint URL": " https://example.com/webhooks ", Description: "Production" });
  await user.click(form.getByRole("checkbox", { name: "invoice.paid" }));
  await user.click(form.getByRole("checkbox", { name: "licence.issued" }));
  await user.dblClick(form.getByRole("button", { name: "Add endpoint" }));

  const secretDialog = await findDialog("Your signing secret");
  expect(secretDialog.getByText(secret)).toBeTruthy();
  expect(secretDialog.getByText("It is shown only once.")).toBeTruthy();
  expect(secretDialog.getByText(/To verify that a request comes from us/)).toBeTruthy();
  expect(sent("AddWebhookEndpoint")).toEqual([
    {
      input: {
        url: "https://example.com/webhooks",
        description: "Production",
        eventTypes: ["LICENCE_ISSUED", "INVOICE_PAID"],
      },
    },
  ]);
  await user.click(secretDialog.getByRole("button", { name: "Copy" }));
  expect(await screen.findByText("The signing secret has been copied to clipboard.")).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(secret);
  await user.click(secretDialog.getByRole("button", { name: "I’ve saved it" }));
  await waitFor(() => expect(place()).toBe("/webhooks/endpoint-9/"));
  await waitForClosedDialogs();
  expect(document.body.textContent).not.toContain(secret);
});

test("shows errors under their fields, and chooses all or no events with one button", async () => {
  const { sent, user, press } = openWebhooks({ WebhookEndpoints: buildEndpointList() });
  await press("Add endpoint");
  const form = await findDialog("Add endpoint");
  fill({ "Endpoint URL": "http://example.com/hook" });
  await user.click(form.getByRole("button", { name: "Add endpoint" }));
  await waitFor(() => expect(messageUnder(field("Endpoint URL"))).toBe("URL must start with https://."));
  expect(form.getByText("Please choose at least one event.")).toBeTruthy();
  expect(sent("AddWebhookEndpoint")).toEqual([]);
  const chosen = () => form.getAllByRole<HTMLInputElement>("checkbox").filter((box) => box.checked).length;
  await user.click(form.getByRole("button", { name: "Choose all" }));
  expect(chosen()).toBe(customerEventTypes.length);
  await user.click(form.getByRole("button", { name: "Choose none" }));
  expect(chosen()).toBe(0);
});

test("fills the edit form with the endpoint's current values, and turns the endpoint neither on nor off", async () => {
  const before = buildEndpoint({ enabled: false });
  const { user, sent, choose } = openWebhooks({
    WebhookEndpoints: buildEndpointList(before),
    UpdateWebhookEndpoint: { updateWebhookEndpoint: before },
  });
  await choose("Edit");
  const form = await findDialog("Edit endpoint");
  expect(field("Endpoint URL").value).toBe("https://example.com/webhooks");
  expect(form.getByRole<HTMLInputElement>("checkbox", { name: "invoice.paid" }).checked).toBe(true);
  fill({ Description: "Test system" });
  await user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have updated the endpoint.")).toBeTruthy();
  await waitForClosedDialogs();
  const { url, eventTypes } = before;
  expect(sent("UpdateWebhookEndpoint")).toEqual([
    { id: "endpoint-1", input: { url, description: "Test system", eventTypes } },
  ]);
});

test("requires confirmation to turn an endpoint off, but not to turn it on", async () => {
  let endpoint = buildEndpoint();
  const { user, sent, choose } = openWebhooks({
    WebhookEndpoints: () => buildEndpointList(endpoint),
    UpdateWebhookEndpoint: ({ input }) => {
      endpoint = buildEndpoint(input as object);
      return { updateWebhookEndpoint: endpoint };
    },
  });
  await choose("Turn off");
  const question = await findDialog("Turn off endpoint");
  expect(question.getByText(/Scheduled retries are cancelled/)).toBeTruthy();
  expect(sent("UpdateWebhookEndpoint")).toEqual([]);
  await user.click(question.getByRole("button", { name: "Turn off" }));
  expect(await screen.findByText("The endpoint is off and receives no events.")).toBeTruthy();
  await waitForClosedDialogs();
  expect(await screen.findByText("Turned off")).toBeTruthy();
  await choose("Turn on");
  expect(await screen.findByText("The endpoint is on and receives events from now on.")).toBeTruthy();
  expect(await screen.findByText("Enabled")).toBeTruthy();
  expect(sent("UpdateWebhookEndpoint").map(({ input }) => (input as { enabled: boolean }).enabled)).toEqual([
    false,
    true,
  ]);
});

test("explains what happens to the old secret and shows the new one once", async () => {
  const { user, sent, choose, place } = openWebhooks({
    WebhookEndpoints: buildEndpointList(buildEndpoint()),
    RollWebhookSecret: {
      rollWebhookSecret: { __typename: "WebhookEndpointSecret", endpoint: buildEndpoint(), secret },
    },
  });
  await choose("Roll secret");
  const question = await findDialog("Roll secret");
  expect(question.getByText(/For 24 hours every request carries two signatures/)).toBeTruthy();
  await user.dblClick(question.getByRole("button", { name: "Roll" }));
  const secretDialog = await findDialog("Your signing secret");
  expect(secretDialog.getByText(secret)).toBeTruthy();
  await user.click(secretDialog.getByRole("button", { name: "I’ve saved it" }));
  await waitForClosedDialogs();
  expect(place()).toBe("/webhooks/");
  expect(sent("RollWebhookSecret")).toEqual([{ id: "endpoint-1" }]);
});

test("deletes an endpoint after confirmation and treats an already deleted one as success", async () => {
  let endpoints: object[] = [buildEndpoint()];
  const answers = [new MockedError("INTERNAL", ""), new MockedError("NOT_FOUND", "Not found.")];
  const { user, choose } = openWebhooks({
    WebhookEndpoints: () => buildEndpointList(...endpoints),
    DeleteWebhookEndpoint: () => {
      const answer = answers.shift();
      if (answers.length === 0) endpoints = [];
      return answer;
    },
  });
  const remove = async () => {
    await choose("Delete");
    const question = await findDialog("Delete endpoint");
    expect(question.getByText(/its delivery log will be deleted/)).toBeTruthy();
    await user.click(question.getByRole("button", { name: "Delete" }));
    await waitForClosedDialogs();
  };
  await remove();
  expect(await screen.findByText("Unable to delete the endpoint.")).toBeTruthy();
  await remove();
  expect(await screen.findByText("The endpoint was already deleted.")).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "No endpoints yet" })).toBeTruthy();
  // The table is gone with the button that opened the dialog.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("group", { name: "Endpoints" })));
});
