import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { mockApi } from "#tests/support/mock-api.ts";
import { startAs } from "#tests/support/mock-query.tsx";
import { renderUpdateUser } from "./open-update-user.tsx";
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

beforeEach(() => startAs("admin"));

function open(search = "", user: object = storedUser) {
  mockApi({ UserHeader: { user }, UserDetails: { user } });
  return renderUpdateUser(search);
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
