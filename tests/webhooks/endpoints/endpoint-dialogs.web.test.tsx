import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { shownEndpoint } from "#tests/factories/shown-webhook.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { Refusal } from "#tests/support/play-api.ts";
import { signedOut } from "#tests/support/render-web.tsx";
import { dialogOf, dialogsClosed, listOf, openWebhooks } from "#tests/support/webhooks-page.tsx";
import { notify } from "#web/platform/notifications.ts";

beforeEach(() => {
  signedOut();
  notify.clear();
});

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

test("an endpoint is added once, its secret is shown once with what it is for, and its page comes next", async () => {
  const added = shownEndpoint({ id: "endpoint-9" });
  let endpoints: object[] = [];
  const { user, sent, press, place } = openWebhooks({
    WebhookEndpoints: () => listOf(...endpoints),
    AddWebhookEndpoint: () => {
      endpoints = [added];
      return { addWebhookEndpoint: { __typename: "WebhookEndpointSecret", endpoint: added, secret } };
    },
  });
  await press("Add An Endpoint");
  const form = await dialogOf("Add An Endpoint");
  const events = form.getByRole("group", { name: "Events" });
  expect(
    within(events)
      .getAllByRole("checkbox")
      .map((box) => box.getAttribute("aria-describedby")),
  ).not.toContain(null);
  fill({ "Endpoint URL": " https://example.com/webhooks ", Description: "Production" });
  await user.click(form.getByRole("checkbox", { name: "invoice.paid" }));
  await user.click(form.getByRole("checkbox", { name: "licence.issued" }));
  await user.dblClick(form.getByRole("button", { name: "Add Endpoint" }));

  const told = await dialogOf("Your Signing Secret");
  expect(told.getByText(secret)).toBeTruthy();
  expect(told.getByText("It is shown only now.")).toBeTruthy();
  expect(told.getByText(/To verify that a request comes from us/)).toBeTruthy();
  expect(sent("AddWebhookEndpoint")).toEqual([
    {
      input: {
        url: "https://example.com/webhooks",
        description: "Production",
        eventTypes: ["licence.issued", "invoice.paid"],
      },
    },
  ]);
  const copyButton = told.getByRole("button", { name: "Copy" });
  await waitFor(() => expect(document.activeElement).toBe(copyButton));
  await user.keyboard("{Escape}");
  expect(await told.findByText(/^Not copied yet/)).toBeTruthy();
  const copy = vi.fn<(text: string) => Promise<void>>(async () => undefined);
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation(copy);
  await user.click(told.getByRole("button", { name: "Copy" }));
  expect(await screen.findByText("The signing secret has been copied to clipboard.")).toBeTruthy();
  expect(copy).toHaveBeenCalledWith(secret);
  await user.click(told.getByRole("button", { name: "I’ve Saved It" }));
  await waitFor(() => expect(place()).toBe("/webhooks/endpoint-9/"));
  await dialogsClosed();
  expect(document.body.textContent).not.toContain(secret);
});

test("all events are chosen, and none, by one press", async () => {
  const { user, press } = openWebhooks({ WebhookEndpoints: listOf() });
  await press("Add An Endpoint");
  const form = await dialogOf("Add An Endpoint");
  const chosen = () => form.getAllByRole("checkbox").filter((box) => (box as HTMLInputElement).checked).length;
  await user.click(form.getByRole("button", { name: "Choose All" }));
  expect(chosen()).toBe(5);
  await user.click(form.getByRole("button", { name: "Choose None" }));
  expect(chosen()).toBe(0);
});

test.each([
  [{}, "URL is required."],
  [{ "Endpoint URL": "example.com/hook" }, "Please enter a whole URL, such as https://example.com/webhooks."],
  [{ "Endpoint URL": "http://example.com/hook" }, "URL must start with https://."],
])("%j is refused in words under its field, and so is no event", async (typed, sentence) => {
  const { sent, user, press } = openWebhooks({ WebhookEndpoints: listOf() });
  await press("Add An Endpoint");
  const form = await dialogOf("Add An Endpoint");
  fill(typed as Record<string, string>);
  await user.click(form.getByRole("button", { name: "Add Endpoint" }));
  await waitFor(() => expect(messageUnder(field("Endpoint URL"))).toBe(sentence));
  expect(form.getByText("Please choose at least one event.")).toBeTruthy();
  expect(sent("AddWebhookEndpoint")).toEqual([]);
});

test("what the server refuses stands under the field, and what was typed stays", async () => {
  const refusal = "Events are not posted to addresses of a private network.";
  const { user, press } = openWebhooks({
    WebhookEndpoints: listOf(),
    AddWebhookEndpoint: new Refusal("BAD_USER_INPUT", "Not valid.", { url: [refusal] }),
  });
  await press("Add An Endpoint");
  const form = await dialogOf("Add An Endpoint");
  fill({ "Endpoint URL": "https://10.0.0.1/" });
  await user.click(form.getByRole("button", { name: "Choose All" }));
  await user.click(form.getByRole("button", { name: "Add Endpoint" }));
  await waitFor(() => expect(messageUnder(field("Endpoint URL"))).toBe(refusal));
  expect(field("Endpoint URL").value).toBe("https://10.0.0.1/");
});

test("an edited endpoint begins with what it is, and one that is off stays off", async () => {
  const before = shownEndpoint({ enabled: false });
  const { user, sent, choose } = openWebhooks({
    WebhookEndpoints: listOf(before),
    UpdateWebhookEndpoint: { updateWebhookEndpoint: before },
  });
  await choose("Edit");
  const form = await dialogOf("Edit Endpoint");
  expect(field("Endpoint URL").value).toBe("https://example.com/webhooks");
  expect(form.getByRole<HTMLInputElement>("checkbox", { name: "invoice.paid" }).checked).toBe(true);
  fill({ Description: "Test system" });
  await user.click(form.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("You have updated the endpoint.")).toBeTruthy();
  await dialogsClosed();
  const { url, eventTypes } = before;
  expect(sent("UpdateWebhookEndpoint")).toEqual([
    { id: "endpoint-1", input: { url, description: "Test system", eventTypes, enabled: false } },
  ]);
});

test("turning off says what it means and asks first; turning on asks nothing", async () => {
  let endpoint = shownEndpoint();
  const { user, sent, choose } = openWebhooks({
    WebhookEndpoints: () => listOf(endpoint),
    UpdateWebhookEndpoint: ({ input }) => {
      endpoint = shownEndpoint(input as object);
      return { updateWebhookEndpoint: endpoint };
    },
  });
  await choose("Turn Off");
  const question = await dialogOf("Turn Off Endpoint");
  expect(question.getByText(/what is still to be tried again is given up/)).toBeTruthy();
  await user.click(question.getByRole("button", { name: "Cancel" }));
  await dialogsClosed();
  expect(sent("UpdateWebhookEndpoint")).toEqual([]);
  await choose("Turn Off");
  await user.click((await dialogOf("Turn Off Endpoint")).getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("The endpoint is off. Nothing is delivered to it.")).toBeTruthy();
  await dialogsClosed();
  expect(await screen.findByText("Turned off")).toBeTruthy();
  await choose("Turn On");
  expect(await screen.findByText("The endpoint is on. Events from now on are delivered to it.")).toBeTruthy();
  expect(await screen.findByText("Enabled")).toBeTruthy();
  expect(sent("UpdateWebhookEndpoint").map(({ input }) => (input as { enabled: boolean }).enabled)).toEqual([
    false,
    true,
  ]);
});

test("rolling says what happens to the old secret, and shows the new one once", async () => {
  const { user, sent, choose, place } = openWebhooks({
    WebhookEndpoints: listOf(shownEndpoint()),
    RollWebhookSecret: {
      rollWebhookSecret: { __typename: "WebhookEndpointSecret", endpoint: shownEndpoint(), secret },
    },
  });
  await choose("Roll the Secret");
  const question = await dialogOf("Roll the Secret");
  expect(question.getByText(/For 24 hours every request carries two signatures/)).toBeTruthy();
  await user.dblClick(question.getByRole("button", { name: "Yes" }));
  const told = await dialogOf("Your Signing Secret");
  expect(told.getByText(secret)).toBeTruthy();
  await user.click(told.getByRole("button", { name: "I’ve Saved It" }));
  await dialogsClosed();
  expect(place()).toBe("/webhooks/");
  expect(sent("RollWebhookSecret")).toEqual([{ id: "endpoint-1" }]);
});

test("an endpoint is deleted after a question; a refusal is told, one that is gone already is not", async () => {
  let endpoints: object[] = [shownEndpoint()];
  const answers = [new Refusal("INTERNAL", ""), new Refusal("NOT_FOUND", "Not found.")];
  const { user, sent, choose } = openWebhooks({
    WebhookEndpoints: () => listOf(...endpoints),
    DeleteWebhookEndpoint: () => {
      const answer = answers.shift();
      if (answers.length === 0) endpoints = [];
      return answer;
    },
  });
  const answer = async (name: string) => {
    await choose("Delete");
    const question = await dialogOf("Delete Endpoint");
    expect(question.getByText(/its log of deliveries goes with it/)).toBeTruthy();
    await user.click(question.getByRole("button", { name }));
    await dialogsClosed();
  };
  await answer("Cancel");
  expect(sent("DeleteWebhookEndpoint")).toEqual([]);
  await answer("Yes");
  expect(await screen.findByText("Unable to delete the endpoint.")).toBeTruthy();
  await answer("Yes");
  expect(await screen.findByText("That endpoint had been deleted already.")).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "No endpoints yet" })).toBeTruthy();
});
