import { screen, waitFor, within } from "@testing-library/react";
import type { ReactElement } from "react";
import { expect } from "vitest";
import { buildEndpoint } from "#tests/factories/webhook-view.ts";
import { type MockedResponse, mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import { WebhookEndpoint } from "#web/webhooks/endpoints/webhook-endpoint.tsx";
import WebhooksPage from "#web/webhooks/endpoints/endpoints-table.tsx";

/** Opens a page with a mock API. Returns the view, the sent operations and user actions. */
function open(page: ReactElement, at: string, answers: Record<string, MockedResponse>) {
  signInAs("regular");
  const operations = mockApi(answers);
  const view = renderWeb(<DataLayer>{page}</DataLayer>, { at });
  const sent = (operation: string) =>
    operations.filter((one) => one.operation === operation).map(({ variables }) => variables);
  const press = async (name: string | RegExp) => view.user.click(await screen.findByRole("button", { name }));
  return { ...view, sent, press };
}

/** Opens the webhooks page. */
export function openWebhooks(answers: Record<string, MockedResponse>) {
  const view = open(<WebhooksPage />, "/webhooks/", answers);
  const choose = async (action: string) => {
    await view.press("Actions for https://example.com/webhooks");
    await view.user.click(await screen.findByRole("menuitem", { name: action }));
  };
  return { ...view, choose };
}

/** Returns the open dialog of that name. The code of dialogs loads when the first one opens. */
export const findDialog = async (name: string) =>
  within(await screen.findByRole("dialog", { name }, { timeout: 8_000 }));

/** Waits until no dialog is open. */
export const waitForClosedDialogs = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

/** Builds the data of the webhook endpoint list. */
export const buildEndpointList = (...webhookEndpoints: object[]) => ({ webhookEndpoints });

/** Builds the data of an endpoint's page with these deliveries. */
export const buildEndpointPage = (rows: object[], changes: object = {}, endpoint: object = {}) => ({
  webhookEndpoint: {
    ...buildEndpoint(endpoint),
    deliveries: { __typename: "WebhookDeliveryPage", rows, total: rows.length, ...changes },
  },
});

/** Opens the page of one endpoint. */
export const openEndpoint = (answers: Record<string, MockedResponse>) =>
  open(<WebhookEndpoint endpointId="endpoint-1" />, "/webhooks/endpoint-1/", answers);

/** Returns the texts of the collapsed deliveries. */
export const listRowNames = () =>
  within(screen.getByRole("list", { name: "Deliveries" }))
    .getAllByRole("button", { expanded: false })
    .map(({ textContent }) => textContent);
