import { MockedProvider } from "@apollo/client/testing/react";
import { fireEvent, screen, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, test } from "vitest";
import { brand } from "#schema/brand.ts";
import { formatDate } from "#schema/dates.ts";
import { addDays, getStartOfDay } from "#schema/days.ts";
import { getPauseDays } from "#schema/pauses.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import {
  CancellationEffectsDocument,
  EndSubscriptionPauseDocument,
  PauseSubscriptionDocument,
} from "#web/generated/graphql.ts";
import ManageSubscriptionPage from "#web/pages/customer/manage-subscription.tsx";
import { notify } from "#web/platform/notifications.ts";
import { buildStatus, type Mock, mockCardEntry, mockPayments, mockStatus, runningSubscription } from "./mock-portal.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular");
});

const open = (page: ReactNode, ...mocks: Mock[]) =>
  renderWeb(<MockedProvider mocks={[...mocks, mockPayments()]}>{page}</MockedProvider>, { at: "/here/" });

const device = (id: string) => ({ __typename: "Device", id });
const mockEffects: Mock = {
  request: { query: CancellationEffectsDocument },
  result: {
    data: {
      me: {
        __typename: "User",
        id: "user-1",
        licences: [
          {
            __typename: "Licence",
            id: "licence-1",
            subscriptionLevel: "Professional",
            renewal: "RENEWS",
            devices: [device("device-1"), device("device-2")],
          },
        ],
      },
    },
  },
};

test("pauses instead of cancelling, until a day of the allowed range, and resumes earlier", async () => {
  const { first, last } = getPauseDays(new Date());
  const day = addDays(first, 20);
  const until = getStartOfDay(day);
  const paused = { ...runningSubscription, pausedUntil: until.toISOString() };
  const view = open(
    <ManageSubscriptionPage />,
    mockStatus(buildStatus(runningSubscription)),
    mockCardEntry(),
    mockEffects,
    {
      request: { query: PauseSubscriptionDocument, variables: { until: day } },
      result: { data: { pauseSubscription: buildStatus(paused) } },
    },
    {
      request: { query: EndSubscriptionPauseDocument },
      result: { data: { endSubscriptionPause: buildStatus(runningSubscription) } },
    },
  );
  await view.user.click(await screen.findByRole("button", { name: "Cancel Subscription" }));
  const dialog = within(await screen.findByRole("dialog"));
  await view.user.click(dialog.getByRole("button", { name: "Pause instead" }));
  await view.user.click(dialog.getByRole("button", { name: "Pause Subscription" }));
  expect(dialog.getByText("Choose a date.")).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Pause until"), { target: { value: addDays(last, 1) } });
  await view.user.click(dialog.getByRole("button", { name: "Pause Subscription" }));
  expect(dialog.getByText(/^Choose a date from /)).toBeTruthy();
  fireEvent.change(dialog.getByLabelText("Pause until"), { target: { value: day } });
  expect(dialog.getByText(/^The add-in stops working now.*your next payment moves to/)).toBeTruthy();
  await view.user.dblClick(dialog.getByRole("button", { name: "Pause Subscription" }));
  expect(await screen.findByText("Your subscription is paused.")).toBeTruthy();
  expect(screen.getByText("Paused until")).toBeTruthy();
  expect(screen.getAllByText(formatDate(until, brand.timeZone))).toHaveLength(1);
  expect(screen.queryByRole("link", { name: "Change Subscription" })).toBeNull();
  await view.user.click(screen.getByRole("button", { name: "Resume Now" }));
  expect(await screen.findByRole("link", { name: "Change Subscription" })).toBeTruthy();
});
