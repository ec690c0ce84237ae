import { screen, waitFor } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderLoaded, startAs } from "#tests/support/mock-query.tsx";
import CreateUserPage from "#web/staff/users/create-user-form.tsx";

beforeEach(() => startAs("admin"));

function open(answers: Parameters<typeof mockApi>[0] = {}) {
  const requests = mockApi(answers);
  const view = renderLoaded(
    <Routes>
      <Route path="/admin/create-user/" element={<CreateUserPage />} />
      <Route path="/admin/manage-users/" element={<p>The list</p>} />
    </Routes>,
    "/admin/create-user/",
  );
  return { ...view, requests, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

const typed = {
  "First Name": "Ada",
  "Last Name": "Byron",
  Phone: "0400 000 000",
  Email: "ada@demo.test",
  "Member type": "2",
  "Street number": "120",
  "Street name": "Eagle Street",
  City: "Brisbane",
  State: "QLD",
  "Post Code": "4000",
};

test("starts with defaults, has no tabs, ABN or blocked machines, and shows an error under each missing field", async () => {
  const { submit, requests } = open();
  expect(screen.getByRole("heading", { level: 1, name: "Create User" })).toBeTruthy();
  const defaults = { Country: "Australia", "Annual deactivation limit": "3", "Member type": "1" };
  expect(Object.keys(defaults).map((label) => field(label).value)).toEqual(Object.values(defaults));
  for (const label of ["ABN", "Machine name"]) expect(screen.queryByLabelText(label)).toBeNull();
  expect(screen.queryByRole("tab")).toBeNull();
  fill({ "Annual deactivation limit": "" });
  await submit();
  await waitFor(() => expect(messageUnder(field("First Name"))).toBe("First name is required."));
  for (const label of [...Object.keys(typed), "Annual deactivation limit"])
    if (label !== "Member type") expect(messageUnder(field(label)), label).toMatch(/ is required\.$/);
  expect([screen.queryByLabelText(/password/i), requests]).toEqual([null, []]);
});

test("shows errors and keeps the input, then creates the user and opens the user list", async () => {
  const taken = { email: ["Another account has this email address."] };
  let answer: unknown = new MockedError("BAD_USER_INPUT", "Some of the values sent are missing or not valid.", taken);
  const { submit, requests, place } = open({ CreateUser: () => answer });
  fill(typed);
  await submit();
  await waitFor(() => expect(messageUnder(field("Email"))).toBe("Another account has this email address."));
  expect(document.activeElement).toBe(field("Email"));
  answer = new MockedError("INTERNAL", "Oops, something went wrong.");
  fill({ Email: "ada.new@demo.test" });
  await submit();
  expect(await screen.findByText("Unable to register the user.")).toBeTruthy();
  expect([field("Email").value, place()]).toEqual(["ada.new@demo.test", "/admin/create-user/"]);
  answer = { createUser: { __typename: "User", id: "u1" } };
  await submit();
  expect(await screen.findByText("The list")).toBeTruthy();
  expect(place()).toBe("/admin/manage-users/");
  expect(screen.getByText("The user has been successfully created.")).toBeTruthy();
  expect(requests[0]?.variables.input).toMatchObject({
    firstName: "Ada",
    memberType: "CORPORATE",
    annualDeactivationLimit: 3,
    country: "Australia",
    fullAddress: "120 Eagle Street, Brisbane QLD 4000, Australia",
    position: "",
  });
});
