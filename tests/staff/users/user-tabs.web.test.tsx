import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test, vi } from "vitest";
import { fill } from "#tests/support/fill-form.ts";
import { playApi } from "#tests/support/play-api.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import DataLayer from "#web/platform/data-layer.tsx";
import { AppRoutes } from "#web/app/router.tsx";
import UpdateUserPage from "#web/pages/admin/update-user.tsx";
import { stored } from "./shown-user.ts";

vi.mock("#web/pages/admin/update-user-tabs.ts", async (original) => {
  const { userTabs, lazyTab } = await original<typeof import("#web/pages/admin/update-user-tabs.ts")>();
  return {
    lazyTab,
    userTabs: [
      ...userTabs.filter(({ id }) => id === "details"),
      { id: "contacts", label: "Contacts", Panel: ({ userId }: { userId: string }) => <p>Contacts of {userId}</p> },
      { id: "licences", label: "Licences", Panel: () => <p>Licences here</p>, hiddenFor: [3] },
    ],
  };
});

beforeEach(() => {
  signedOut();
  signInAs("admin");
});

function open(search = "", user: object = stored) {
  playApi({ UserHeader: { user }, UserDetails: { user } });
  const page = (
    <DataLayer>
      <UpdateUserPage />
    </DataLayer>
  );
  return renderWeb(
    <Routes>
      <Route path="/admin/update-user/:id/" element={page} />
    </Routes>,
    { at: `/admin/update-user/${stored.id}/${search}` },
  );
}

const chosen = () => screen.getByRole("tab", { selected: true }).textContent;

test("the tab of the address is open, and another one changes the address", async () => {
  const { user: person, place } = open("?tab=contacts");
  expect(await screen.findByText(`Contacts of ${stored.id}`)).toBeTruthy();
  expect(screen.getByRole("tabpanel", { name: "Contacts" })).toBeTruthy();
  await person.click(screen.getByRole("tab", { name: "Licences" }));
  expect(await screen.findByText("Licences here")).toBeTruthy();
  expect(place()).toContain("?tab=licences");
});

test("the keyboard has one stop, moves with the arrows, Home and End, and round the ends", async () => {
  const { user: person } = open("?tab=contacts");
  await screen.findByRole("tab", { name: "Contacts" });
  expect(screen.getAllByRole("tab").map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1]);
  screen.getByRole("tab", { name: "Contacts" }).focus();
  for (const [key, name] of [
    ["{ArrowRight}", "Licences"],
    ["{ArrowRight}", "User Details"],
    ["{End}", "Licences"],
    ["{Home}", "User Details"],
    ["{ArrowLeft}", "Licences"],
  ] as const) {
    await person.keyboard(key);
    await waitFor(() => expect([chosen(), document.activeElement?.textContent]).toEqual([name, name]));
  }
});

test("an admin has no Licences, and an address that asks for them shows the details", async () => {
  open("?tab=licences", { ...stored, memberType: 3 });
  expect(await screen.findByLabelText("First Name")).toBeTruthy();
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual(["User Details", "Contacts"]);
});

test("another tab is opened over unsaved changes only after a question", async () => {
  const { user: person, place } = open();
  await screen.findByLabelText("First Name");
  fill({ "First Name": "Augusta" });
  await screen.findByText("You have changes that are not saved yet.");
  await person.click(screen.getByRole("tab", { name: "Contacts" }));
  const dialog = await screen.findByRole("dialog", { name: "Leave Without Saving?" });
  expect(chosen()).toBe("User Details");
  await person.click(within(dialog).getByRole("button", { name: "Yes" }));
  expect(await screen.findByText(`Contacts of ${stored.id}`)).toBeTruthy();
  expect(place()).toContain("?tab=contacts");
});

test.each([
  ["regular", "/admin/create-user/"],
  ["corporate", "/admin/create-user"],
  ["regular", `/admin/update-user/${stored.id}/`],
] as const)("a %s customer at %s is led home", async (role, at) => {
  signInAs(role);
  playApi({});
  const { place } = renderWeb(<AppRoutes />, { at });
  await waitFor(() => expect(place()).toBe("/"));
});
