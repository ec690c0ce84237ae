import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { openUpdateUser } from "#tests/staff/users/open-update-user.tsx";
import { storedUser } from "#tests/staff/users/stored-user.ts";
import { MockedError } from "#tests/support/mock-api.ts";
import { mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { AccountMergesDocument, UndoMergeDocument } from "#web/generated/graphql.ts";
import { MergesCard } from "#web/staff/merges/merges-card.tsx";

beforeEach(() => startAs("admin", { staffRoles: ["support"] }));

const rows = (kind: string, count: number) => ({ __typename: "MergedRows", kind, rows: count });
const other = { ...storedUser, id: "user-2", email: "ada.old@demo.test" };
const merge = {
  __typename: "AccountMerge",
  id: "merge-1",
  mergedAt: "2026-11-20T00:00:00Z",
  undoUntil: "2026-12-20T00:00:00Z",
  moved: [rows("LICENCES", 2)],
  kept: storedUser,
  merged: { ...other, isActive: false },
};
const preview = (refusal: string | null) => ({
  mergePreview: {
    __typename: "MergePreview",
    merged: other,
    moves: [rows("LICENCES", 2), rows("CONTACTS", 1)],
    stays: [rows("INVOICES", 3)],
    refusal,
  },
});

async function find(answers: Parameters<typeof openUpdateUser>[0], address = other.email) {
  const view = await openUpdateUser(answers);
  await view.user.click(screen.getByRole("button", { name: "Merge" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Merge accounts" }));
  await view.user.type(dialog.getByLabelText("Email address of the other account"), address);
  await view.user.click(dialog.getByRole("button", { name: "Preview" }));
  return { ...view, dialog };
}

test("finds the other account, shows what moves and stays, and merges it", async () => {
  let finish = () => {};
  const merged = new Promise((resolve) => {
    finish = () => resolve({ mergeAccounts: merge });
  });
  const { user, dialog, requests } = await find({ MergePreview: preview(null), MergeAccounts: () => merged });
  expect(await dialog.findByText("Licences: 2, Contacts: 1")).toBeTruthy();
  expect(document.activeElement?.textContent).toContain("Licences: 2, Contacts: 1");
  expect(dialog.getByText("Invoices and adjustment notes: 3")).toBeTruthy();
  expect(dialog.getByText("Ada Byron, ada.old@demo.test")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Merge" }));
  // The dialog stays open while the accounts are merged.
  await user.keyboard("{Escape}");
  expect(screen.getByRole("dialog", { name: "Merge accounts" })).toBeTruthy();
  finish();
  expect(await screen.findByText("The accounts are merged.")).toBeTruthy();
  expect(requests.find(({ operation }) => operation === "MergeAccounts")?.variables).toEqual({
    keptId: storedUser.id,
    mergedId: "user-2",
  });
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("shows an unknown address at the field, a refusal instead of the button, and no merge for an archived account", async () => {
  const unknown = new MockedError("BAD_USER_INPUT", "Check the fields.", { email: ["No account has this address."] });
  const first = await find({ MergePreview: () => unknown });
  expect(await first.dialog.findByText("No account has this address.")).toBeTruthy();
  first.unmount();
  const refusal = "Both accounts have a subscription. End one of them first, and refund it if that is due.";
  const { user, dialog, unmount } = await find({ MergePreview: preview(refusal) });
  expect((await dialog.findByRole("alert")).textContent).toContain(refusal);
  expect(dialog.queryByRole("button", { name: "Merge" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Back" }));
  const address = await dialog.findByLabelText<HTMLInputElement>("Email address of the other account");
  expect([address.value, document.activeElement]).toEqual([other.email, address]);
  unmount();
  await openUpdateUser({}, { ...storedUser, isActive: false });
  expect(screen.queryByRole("button", { name: "Merge" })).toBeNull();
});

test("lists merges and undoes one after confirmation", async () => {
  const list = (...accountMerges: object[]) =>
    mockQuery(AccountMergesDocument, { userId: storedUser.id }).returns({ accountMerges });
  const undo = mockQuery(UndoMergeDocument, { id: "merge-1" }).returns({ undoMerge: merge });
  const { user } = renderMocked([list(merge), undo, list()], <MergesCard user={storedUser} />);
  expect(await screen.findByRole("heading", { name: "Merged accounts" })).toBeTruthy();
  const row = screen.getByRole("listitem");
  expect(row.textContent).toContain("Took over ada.old@demo.test");
  expect(row.textContent).toContain("Licences: 2. Can be undone until");
  await user.click(within(row).getByRole("button", { name: "Undo the merge with ada.old@demo.test" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Undo merge" }));
  await user.click(dialog.getByRole("button", { name: "Undo" }));
  expect(await screen.findByText("The merge has been undone.")).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("heading", { name: "Merged accounts" })).toBeNull());
});
