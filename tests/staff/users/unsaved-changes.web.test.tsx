import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, describe, expect, test } from "vitest";
import { field, fill } from "#tests/support/fill-form.ts";
import { MockedError } from "#tests/support/mock-api.ts";
import { resetSession, signInAs } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";
import { getLastInput, openUpdateUser, mockSavedUser, submit } from "./open-update-user.tsx";
import { storedUser } from "./stored-user.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("admin");
});

describe("unsaved changes", () => {
  test("ask for confirmation before a link is followed or the page reloads, until they are saved", async () => {
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
    expect([place(), field("First Name").value]).toEqual([
      `/admin/update-user/${storedUser.id}/?tab=details`,
      "Augusta",
    ]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await submit(user);
    await screen.findByText("The user details have been updated.");
    await waitFor(() => expect(reload()).toBe(false));
    await user.click(screen.getByRole("link", { name: "Elsewhere" }));
    expect(await screen.findByText("Another page")).toBeTruthy();
  });

  test("are left when the user confirms", async () => {
    const { user } = await openUpdateUser();
    fill({ "First Name": "Augusta" });
    await user.click(screen.getByRole("link", { name: "Elsewhere" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Leave" }));
    expect(await screen.findByText("Another page")).toBeTruthy();
  });
});

describe("concurrent changes by another admin", () => {
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
  const stale = () =>
    new MockedError("CONFLICT", "This user was changed in the meantime.", undefined, "STALE_REVISION");

  test("shows both values, saves the chosen one, and keeps their other changes", async () => {
    let calls = 0;
    const updated = { ...theirs, revision: 3 };
    const view = await openUpdateUser({
      ...since,
      UpdateUser: () => (calls++ === 0 ? stale() : { updateUser: updated }),
    });
    fill({ "First Name": "Augusta", Phone: "0400 999 999" });
    await submit(view.user);
    const note = await screen.findByText(/saved this user while you were editing/);
    expect(note.textContent).toContain("Grace Hopper");
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
});
