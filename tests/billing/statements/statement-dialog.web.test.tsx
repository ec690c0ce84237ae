import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockDownloads } from "#tests/support/mock-downloads.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { StatementButton } from "#web/billing/statements/statement-button.tsx";

beforeEach(resetSession);

async function open(userId?: string) {
  const view = renderWeb(<StatementButton {...(userId === undefined ? {} : { userId })} />);
  await view.user.click(screen.getByRole("button", { name: "Download statement" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Download statement" }));
  await dialog.findByLabelText("From");
  return { ...view, download: () => view.user.click(dialog.getByRole("button", { name: "Download" })) };
}

test("suggests the financial year until today, checks the days, and downloads the caller's own statement", async () => {
  signInAs("corporate");
  const { requests } = mockDownloads(async () => new Response("%PDF-"));
  const { download } = await open();
  expect(field("From").value).toMatch(/^01\/07\/\d{4}$/);
  fill({ From: "01/07/2026", To: "30/06/2026" });
  await download();
  await waitFor(() => expect(messageUnder(field("To")) ?? messageUnder(field("From"))).toBeTruthy());
  expect(requests).toEqual([]);
  fill({ From: "01/07/2025", To: "30/06/2026", Format: "csv" });
  await download();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const body = { startDate: "2025-07-01", endDate: "2026-06-30", format: "csv" };
  expect(requests).toMatchObject([{ url: "/v1/core/accounts/statement/download", body }]);
  expect(await screen.findByText("The report has been exported successfully.")).toBeTruthy();
});

test("downloads a customer's statement for staff, and keeps the dialog after a failure", async () => {
  signInAs("admin", { staffRoles: ["finance"] });
  const { requests } = mockDownloads(async () => Response.json({ Message: "Too large." }, { status: 422 }));
  const { download } = await open("user-7");
  await download();
  expect(await screen.findByText("Too large.")).toBeTruthy();
  const body = { userId: "user-7", format: "pdf" };
  expect(requests).toMatchObject([{ url: "/v1/admin/statement/download", body }]);
  expect(screen.getByRole("dialog", { name: "Download statement" })).toBeTruthy();
});
