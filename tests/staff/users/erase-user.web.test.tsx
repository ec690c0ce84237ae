import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";
import { openUpdateUser } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
});

const erased = { ...storedUser, isActive: false, firstName: "Deleted", lastName: "User" };
const erasure = {
  __typename: "Erasure",
  id: "er-1",
  state: "DONE",
  requestedBy: "STAFF",
  requestedAt: "2026-11-20T00:00:00Z",
  progress: [],
  certificate: null,
};

test("erases a user after an owner typed the address", async () => {
  signInAs("admin");
  const { user, requests } = await openUpdateUser({
    EraseUser: { eraseUser: { __typename: "Erasure", id: "er-1", user: erased } },
    Erasure: { erasure },
  });
  await user.click(screen.getByRole("button", { name: "Erase" }));
  const dialog = await screen.findByRole("dialog", { name: "Erase user" });
  const confirm = () => user.click(within(dialog).getByRole("button", { name: "Erase" }));
  await confirm();
  expect(await within(dialog).findByText("Type the email address of this user.")).toBeTruthy();
  expect(requests.some(({ operation }) => operation === "EraseUser")).toBe(false);
  await user.type(within(dialog).getByLabelText(`Type ${storedUser.email} to confirm`), storedUser.email);
  await confirm();
  expect(await screen.findByText("The account is closed. Its data is being erased.")).toBeTruthy();
  expect(requests.find(({ operation }) => operation === "EraseUser")?.variables).toEqual({ userId: storedUser.id });
  await waitFor(() => expect(screen.queryByRole("button", { name: "Erase" })).toBeNull());
});

test("offers nothing to other roles, and nothing for an erased user", async () => {
  signInAs("admin", { staffRoles: ["support"] });
  const { unmount } = await openUpdateUser();
  expect(screen.queryByRole("button", { name: "Erase" })).toBeNull();
  unmount();
  signInAs("admin");
  const { requests } = await openUpdateUser({ Erasure: { erasure } }, { ...storedUser, isActive: false });
  await waitFor(() => expect(requests.some(({ operation }) => operation === "Erasure")).toBe(true));
  expect(screen.queryByRole("button", { name: "Erase" })).toBeNull();
});
