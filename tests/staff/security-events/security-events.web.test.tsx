import { screen } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { SecurityEventsDocument } from "#web/generated/graphql.ts";
import SecurityEventsPage from "#web/staff/security-events/security-events.tsx";

beforeEach(() => startAs("admin"));

const event = {
  id: "event-1",
  at: "2026-11-21T09:00:00.000Z",
  type: "sign-in.failed",
  what: "Sign-in failed",
  address: "203.0.113.7",
  count: 1_400,
  requestId: "r-1",
  facts: [{ label: "Reason", value: "Wrong password" }],
  user: { id: "user-1", firstName: "Ada", lastName: "Byron" },
};

test("shows an event with its user, reason, address and count, and opens its details", async () => {
  const page = { rows: [event] };
  const mock = mockQuery(SecurityEventsDocument, { types: [], filter: {}, first: 30 }).returns({
    securityEvents: page,
  });
  const { user } = renderMocked([mock], <SecurityEventsPage />);
  expect(await screen.findByText("1,400 times")).toBeTruthy();
  expect(screen.getByText("Wrong password, from 203.0.113.7")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Ada Byron" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Details" }));
  expect(await screen.findByText("sign-in.failed")).toBeTruthy();
});

test("refuses a filter that ends before it starts", async () => {
  const mock = mockQuery(SecurityEventsDocument, () => true).returns({ securityEvents: { rows: [event] } });
  const { user } = renderMocked([mock], <SecurityEventsPage />);
  expect(await screen.findByText("1,400 times")).toBeTruthy();
  fill({ "Start date": "22/11/2026", "End date": "21/11/2026" });
  await user.click(screen.getByRole("button", { name: "Apply" }));
  expect(await screen.findByText("The end date can't be before the start date.")).toBeTruthy();
});
