import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { MockedError } from "#tests/support/mock-api.ts";
import { mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { signInAs } from "#tests/support/render-web.tsx";
import { watchSavedFiles } from "#tests/support/watch-saved-files.ts";
import { ErasureDocument } from "#web/generated/graphql.ts";
import { ErasureCard } from "#web/staff/users/overview/erasure-card.tsx";
import { getLastInput, openUpdateUser, mockSavedUser, submit } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(() => startAs("admin"));

test("asks for confirmation before a link is followed or the page reloads, until changes are saved", async () => {
  const { user, place } = await openUpdateUser(mockSavedUser({ firstName: "Augusta" }));
  const reload = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  expect(reload()).toBe(false);
  fill({ "First Name": "Augusta" });
  await screen.findByText("You have unsaved changes.");
  expect(reload()).toBe(true);
  await user.click(screen.getByRole("link", { name: "Elsewhere" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
  await user.click(within(dialog).getByRole("button", { name: "Stay" }));
  expect([place(), field("First Name").value]).toEqual([`/admin/update-user/${storedUser.id}/?tab=details`, "Augusta"]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await submit(user);
  await screen.findByText("The user details have been updated.");
  await waitFor(() => expect(reload()).toBe(false));
  await user.click(screen.getByRole("link", { name: "Elsewhere" }));
  expect(await screen.findByText("Another page")).toBeTruthy();
});

test("leaves unsaved changes when the user confirms", async () => {
  const { user } = await openUpdateUser();
  fill({ "First Name": "Augusta" });
  await user.click(screen.getByRole("link", { name: "Elsewhere" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Leave" }));
  expect(await screen.findByText("Another page")).toBeTruthy();
});

const theirs = { ...storedUser, revision: 2, firstName: "Anne", companyName: "Engines Ltd", isTester: false };
const since = {
  UserSince: {
    user: theirs,
    userChanges: [
      {
        __typename: "StaffChange",
        at: "2026-01-01T00:00:00Z",
        actorName: "Grace Hopper <grace@demo.test>",
        fields: ["companyName", "firstName", "isTester"],
      },
    ],
  },
};
const stale = () => new MockedError("CONFLICT", "This user was changed in the meantime.", undefined, "STALE_REVISION");

test("shows both values after another admin's change, saves the chosen one, and keeps their other changes", async () => {
  let calls = 0;
  const updated = { ...theirs, revision: 3 };
  const view = await openUpdateUser({
    ...since,
    UpdateUser: () => (calls++ === 0 ? stale() : { updateUser: updated }),
  });
  fill({ "First Name": "Augusta", Phone: "0400 999 999" });
  await submit(view.user);
  expect((await screen.findByText(/saved this user while you were editing/)).textContent).toContain("Grace Hopper");
  expect(screen.getByText("Updated with their changes: Company name, Tester.")).toBeTruthy();
  const group = await screen.findByRole("group", { name: "First Name: which value?" });
  expect(group.textContent).toContain("First NameGrace HopperAnneYouAugusta");
  expect([field("First Name").value, field("Phone").value, field("Company name").value]).toEqual([
    "Augusta",
    "0400 999 999",
    "Engines Ltd",
  ]);
  await submit(view.user);
  expect(await screen.findByText(/Please choose a value for each field/)).toBeTruthy();
  expect(view.sent()).toHaveLength(1);
  await view.user.click(screen.getByRole("button", { name: "Keep mine for First Name" }));
  expect(screen.queryByRole("group", { name: /which value/ })).toBeNull();
  await submit(view.user);
  await screen.findByText("The user details have been updated.");
  expect(getLastInput(view.sent())).toMatchObject({
    firstName: "Augusta",
    mobile: "0400 999 999",
    companyName: "Engines Ltd",
    isTester: false,
    revision: 2,
  });
});

const names = () =>
  within(screen.getByRole("list", { name: "Blocked machines" }))
    .getAllByRole("listitem")
    .map((item) => item.textContent);

test("adds a machine that isn't blocked yet, marks it as unsaved and saves it on Submit", async () => {
  const { user, sent } = await openUpdateUser(mockSavedUser());
  for (const [name, message] of [
    ["", "Machine name is required."],
    ["  bne-plan-007|OFFICE ", "This machine is already blocked."],
  ] as const) {
    fill({ "Machine name": name });
    await user.click(screen.getByRole("button", { name: "Add machine" }));
    await waitFor(() => expect(messageUnder(field("Machine name"))).toBe(message));
  }
  fill({ "Machine name": "BNE-PLAN-099" });
  await user.type(field("Machine name"), "{Enter}");
  await waitFor(() => expect(names()).toHaveLength(2));
  expect(names()[1]).toContain("Not saved yet");
  expect(names()[0]).toMatch(/since 5 Dec 2025/);
  expect([field("Machine name").value, sent().length]).toEqual(["", 0]);
  expect(screen.getByText("You have unsaved changes.")).toBeTruthy();
  await submit(user);
  await screen.findByText("The user details have been updated.");
  expect(getLastInput(sent()).blockedMachines).toEqual([
    { machineName: "BNE-PLAN-007|office" },
    { machineName: "BNE-PLAN-099" },
  ]);
});

test("doesn't save while a machine is typed but not in the list, and asks before it is lost", async () => {
  const { user, sent } = await openUpdateUser(mockSavedUser());
  fill({ "Machine name": "BNE-PLAN-099" });
  await submit(user);
  const expected = "Add this machine to the list, or clear the field.";
  await waitFor(() => expect(messageUnder(field("Machine name"))).toBe(expected));
  await waitFor(() => expect(document.activeElement).toBe(field("Machine name")));
  expect(sent()).toEqual([]);
  await user.click(screen.getByRole("link", { name: "Elsewhere" }));
  expect(await screen.findByRole("dialog", { name: "Leave without saving?" })).toBeTruthy();
});

test("unblocks a machine after confirmation, offers Undo and saves on Submit", async () => {
  const { user, sent } = await openUpdateUser(mockSavedUser({ blockedMachines: [] }));
  const emptyStatuses = screen.getAllByRole("status").filter(({ textContent }) => textContent === "");
  const clickRemove = () => user.click(screen.getByRole("button", { name: "Remove BNE-PLAN-007|office" }));
  await clickRemove();
  const dialog = await screen.findByRole("dialog", { name: "Unblock machine" });
  await user.click(within(dialog).getByRole("button", { name: "Unblock" }));
  expect(await screen.findByText("No blocked machines.")).toBeTruthy();
  const status = screen.getByText(/One machine will be unblocked when you submit\./);
  // Screen readers announce it, because its element was there before.
  expect(emptyStatuses).toContain(status);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(names()).toHaveLength(1);
  expect(screen.queryByText("You have unsaved changes.")).toBeNull();
  await clickRemove();
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Unblock" }));
  await submit(user);
  await screen.findByText("The user details have been updated.");
  expect(getLastInput(sent()).blockedMachines).toEqual([]);
  expect(screen.queryByText(/when you submit/)).toBeNull();
});

test("copies full names and shortens names over 55 characters only on screen", async () => {
  const [fits, long] = ["M".repeat(55), "N".repeat(56)];
  const blockedMachines = [fits, long].map((machineName, n) => ({
    __typename: "BlockedMachine",
    id: `m${n}`,
    machineName,
    blockedAt: "2025-12-05T02:00:00Z",
  }));
  const { user } = await openUpdateUser({}, { ...storedUser, blockedMachines });
  const writeText = vi.spyOn(navigator.clipboard, "writeText");
  expect(screen.getByText(fits)).toBeTruthy();
  expect(screen.getByText(`${"N".repeat(55)}…`).getAttribute("aria-hidden")).toBe("true");
  expect(screen.getByTitle(long).textContent).toContain(long);
  await user.click(screen.getByRole("button", { name: `Copy ${long}` }));
  expect(writeText).toHaveBeenCalledWith(long);
  expect(await screen.findByText("Machine name copied to clipboard")).toBeTruthy();
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
  const { user, requests } = await openUpdateUser({
    EraseUser: { eraseUser: { __typename: "Erasure", id: "er-1", user: erased } },
    Erasure: { erasure },
  });
  await user.click(screen.getByRole("button", { name: "Erase" }));
  const dialog = await screen.findByRole("dialog", { name: "Erase user" });
  await user.click(within(dialog).getByRole("button", { name: "Erase" }));
  expect(await within(dialog).findByText("Type the email address of this user.")).toBeTruthy();
  expect(requests.some(({ operation }) => operation === "EraseUser")).toBe(false);
  const box = within(dialog).getByLabelText(`Type ${storedUser.email} to confirm`);
  expect(document.activeElement).toBe(box);
  await user.type(box, "other@example.com{Enter}");
  expect(requests.some(({ operation }) => operation === "EraseUser")).toBe(false);
  await user.clear(box);
  // A copied address can start with an invisible mark.
  await user.type(box, `\u200e${storedUser.email}{Enter}`);
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

test("saves the certificate of an erasure as the command prints it, with the user and who requested it", async () => {
  const times = { requestedAt: "2026-11-20T00:00:00.000Z", finishedAt: "2026-11-20T00:01:00.000Z" };
  const erasedRows = { name: "sessions", title: "Sessions", rows: 4 };
  const kept = { title: "Tax invoices and adjustment notes", rows: 3, reason: "Australian tax law." };
  const certificate = {
    __typename: "ErasureCertificate",
    id: "er-1",
    emailHash: null,
    ...times,
    erased: [{ __typename: "ErasedRows", ...erasedRows, effect: "DELETED" }],
    kept: [{ __typename: "KeptRows", ...kept }],
  };
  const mock = mockQuery(ErasureDocument, () => true).returns({ erasure: { ...erasure, certificate } });
  const { user } = renderMocked([mock], <ErasureCard user={{ id: "user-7", isActive: false }} />);
  const button = await screen.findByRole("button", { name: "Download Certificate" });
  const saved = watchSavedFiles();
  await user.click(button);
  expect(saved[0]?.name).toBe("erasure-er-1.json");
  expect(JSON.parse((await saved[0]?.text) ?? "")).toEqual({
    id: "er-1",
    userId: "user-7",
    requestedBy: "staff",
    ...times,
    emailHash: null,
    erased: [{ ...erasedRows, effect: "deleted" }],
    kept: [kept],
  });
});
