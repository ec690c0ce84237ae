import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import UpdateUserPage from "#web/staff/users/update-user-page.tsx";
import { storedUser } from "./stored-user.ts";

vi.mock("#web/staff/users/update-user-tabs.ts", async (original) => {
  const { userTabs, lazyTab } = await original<typeof import("#web/staff/users/update-user-tabs.ts")>();
  return {
    lazyTab,
    userTabs: [
      ...userTabs.filter(({ id }) => id === "details"),
      { id: "contacts", label: "Contacts", Panel: ({ userId }: { userId: string }) => <p>Contacts of {userId}</p> },
      { id: "licences", label: "Licences", Panel: () => <p>Licences here</p>, isForCustomers: true },
    ],
  };
});

beforeEach(() => {
  resetSession();
  signInAs("admin");
});

function open(search = "", user: object = storedUser) {
  mockApi({ UserHeader: { user }, UserDetails: { user } });
  const page = (
    <DataLayer>
      <UpdateUserPage />
    </DataLayer>
  );
  return renderWeb(
    <Routes>
      <Route path="/admin/update-user/:id/" element={page} />
    </Routes>,
    { at: `/admin/update-user/${storedUser.id}/${search}` },
  );
}

const getSelectedTab = () => screen.getByRole("tab", { selected: true }).textContent;

test("opens the tab in the URL, supports keys with a single tab stop, and updates the URL", async () => {
  const { user, place } = open("?tab=contacts");
  expect(await screen.findByText(`Contacts of ${storedUser.id}`)).toBeTruthy();
  expect(screen.getByRole("tabpanel", { name: "Contacts" })).toBeTruthy();
  expect(screen.getAllByRole("tab").map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  screen.getByRole("tab", { name: "Contacts" }).focus();
  for (const [key, name] of [
    ["{ArrowRight}", "Licences"],
    ["{ArrowRight}", "User Details"],
    ["{End}", "Licences"],
    ["{Home}", "User Details"],
    ["{ArrowLeft}", "Licences"],
  ] as const) {
    await user.keyboard(key);
    await waitFor(() => expect([getSelectedTab(), document.activeElement?.textContent]).toEqual([name, name]));
  }
  await user.click(screen.getByRole("tab", { name: "Licences" }));
  expect(await screen.findByText("Licences here")).toBeTruthy();
  expect(place()).toContain("?tab=licences");
});

test("hides Licences for admins and shows the details instead", async () => {
  open("?tab=licences", { ...storedUser, memberType: "ADMIN" });
  expect(await screen.findByLabelText("First Name")).toBeTruthy();
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(["User Details", "Contacts"]);
});

test("asks for confirmation before leaving a tab with unsaved changes", async () => {
  const { user, place } = open();
  await screen.findByLabelText("First Name");
  fill({ "First Name": "Augusta" });
  await screen.findByText("You have unsaved changes.");
  await user.click(screen.getByRole("tab", { name: "Contacts" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave without saving?" });
  expect(getSelectedTab()).toBe("User Details");
  await user.click(within(dialog).getByRole("button", { name: "Leave" }));
  expect(await screen.findByText(`Contacts of ${storedUser.id}`)).toBeTruthy();
  expect(place()).toContain("?tab=contacts");
});
