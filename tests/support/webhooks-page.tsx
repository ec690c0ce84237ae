import { screen, waitFor, within } from "@testing-library/react";
import { expect } from "vitest";
import { type Answer, playApi } from "#tests/support/play-api.ts";
import { renderWeb, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/app/data-layer.tsx";
import type { Role } from "#web/app/session.ts";
import WebhooksPage from "#web/pages/customer/webhooks.tsx";

/** Opens the page of webhooks on a played api; answers what was sent to it, and ways to act. */
export function openWebhooks(answers: Record<string, Answer>, role: Role = "regular") {
  signInAs(role);
  const asked = playApi(answers);
  const view = renderWeb(
    <DataLayer>
      <WebhooksPage />
    </DataLayer>,
    { at: "/webhooks/" },
  );
  const sent = (operation: string) =>
    asked.filter((one) => one.operation === operation).map(({ variables }) => variables);
  const press = async (name: string) => view.user.click(await screen.findByRole("button", { name }));
  const choose = async (action: string, url = "https://example.com/webhooks") => {
    await press(`Actions for ${url}`);
    await view.user.click(await screen.findByRole("menuitem", { name: action }));
  };
  return { ...view, sent, press, choose };
}

/** The open dialog of that name; what it is made of loads when a first one opens. */
export const dialogOf = async (name: string) => within(await screen.findByRole("dialog", { name }, { timeout: 8_000 }));
/** Waits until no dialog is open. */
export const dialogsClosed = () => waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

/** The answer of the list. */
export const listOf = (...webhookEndpoints: object[]) => ({ webhookEndpoints });
