import { screen } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { mockMutation } from "#tests/licensing/licences/open-licences-tab.tsx";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import {
  AcceptLicenceUseDocument,
  AskAboutLicenceUseDocument,
  AttentionListDocument,
  ReissueLicenceCodeDocument,
} from "#web/generated/graphql.ts";
import AttentionPage from "#web/staff/attention/attention-table.tsx";

beforeEach(() => startAs("admin", { staffRoles: ["support"] }));

const user = {
  __typename: "User",
  id: "user-1",
  firstName: "Ada",
  lastName: "Byron",
  companyName: "Analytical Planning",
};
const row = {
  __typename: "AttentionRow",
  id: "licence-1",
  at: "2026-11-23T04:05:00.000Z",
  what: "In 7 days: 31 networks, 9 machines with 1 permitted",
  licenceId: "licence-1",
  subscriptionId: null,
  amountCents: null,
  reason: null,
  nextRetryAt: null,
  user: { ...user, email: "ada@demo.test" },
};
const list = (askedAt: string | null, isGone = false) => {
  const rows = isGone ? [] : [{ ...row, leak: { __typename: "LeakEvidence", askedAt } }];
  const variables = { list: "LEAKED_LICENCES", filter: { search: null }, first: 20, offset: 0 };
  return mockQuery(AttentionListDocument, variables).returns({
    attentionList: { __typename: "AttentionPage", total: rows.length, isTotalCapped: false, rows },
  });
};

const openList = (...mocks: Mock[]) =>
  renderMocked(
    mocks,
    <Routes>
      <Route path="/admin/attention/:list/" element={<AttentionPage />} />
    </Routes>,
    "/admin/attention/leaked-licences/",
  );

async function choose(user: ReturnType<typeof openList>["user"], action: string, verb: string) {
  await user.click(await screen.findByRole("button", { name: "Actions for Ada Byron" }));
  await user.click(screen.getByRole("menuitem", { name: action }));
  await user.click(await screen.findByRole("button", { name: verb }));
}

const licence = { __typename: "Licence", id: "licence-1" };
const variables = { userId: "user-1", licenceId: "licence-1" };

test("shows the evidence, asks the customer, and shows when they were asked", async () => {
  const { mock, sent } = mockMutation(AskAboutLicenceUseDocument, { data: { askAboutLicenceUse: licence } });
  const { user } = openList(list(null), mock, list("2026-11-24T04:05:00.000Z"));
  expect(await screen.findByText("In 7 days: 31 networks, 9 machines with 1 permitted")).toBeTruthy();
  await choose(user, "Ask the customer", "Send email");
  expect(await screen.findByText("The customer has been asked.")).toBeTruthy();
  expect(sent).toEqual([variables]);
  expect(await screen.findByText(/24 Nov 2026/)).toBeTruthy();
});

test("re-issues the code, or accepts the use, and the row leaves the list", async () => {
  for (const [document, field, action, verb, done] of [
    [ReissueLicenceCodeDocument, "reissueLicenceCode", "Re-issue Code", "Re-issue code", "The licence has a new code."],
    [AcceptLicenceUseDocument, "acceptLicenceUse", "Accept the use", "Accept", "The licence has left the list."],
  ] as const) {
    const result = { data: { [field]: { ...licence, licenceCode: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE-FFFFF" } } };
    const { mock, sent } = mockMutation(document, result);
    const { user, unmount } = openList(list(null), mock, list(null, true));
    await choose(user, action, verb);
    expect(await screen.findByText(done)).toBeTruthy();
    expect(sent).toEqual([variables]);
    expect(await screen.findByText("No licence seems to be used by strangers.")).toBeTruthy();
    unmount();
  }
});

test("keeps the dialog open with the reason of a refusal, and leads to the deactivation", async () => {
  const { mock } = mockMutation(ReissueLicenceCodeDocument, {
    error: "The code of this licence was re-issued within the last hour.",
    code: "CONFLICT",
  });
  const { user } = openList(list(null), mock);
  await choose(user, "Re-issue Code", "Re-issue code");
  expect(await screen.findByText("The code of this licence was re-issued within the last hour.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await user.click(await screen.findByRole("button", { name: "Actions for Ada Byron" }));
  expect(screen.getByRole("menuitem", { name: "Deactivate licence" }).getAttribute("href")).toBe(
    "/admin/update-user/user-1/?action=deactivate&on=licence-1",
  );
});
