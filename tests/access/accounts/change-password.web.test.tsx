import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { screen, waitFor } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";
import { getSession } from "#web/platform/session.ts";
import { ChangePasswordDocument } from "#web/generated/graphql.ts";
import ChangePasswordPage from "#web/pages/customer/change-password.tsx";
import { notify } from "#web/platform/notifications.ts";

const validValues = {
  "Existing Password": "Planner-2024",
  "New password": "Gantt-charts-44",
  "Confirm password": "Gantt-charts-44",
};
const request = {
  query: ChangePasswordDocument,
  variables: {
    input: { existingPassword: "Planner-2024", password: "Gantt-charts-44", confirmPassword: "Gantt-charts-44" },
  },
};

beforeEach(() => {
  resetSession();
  notify.clear();
  signInAs("regular");
});

function open(...mocks: MockLink.MockedResponse[]) {
  const view = renderWeb(
    <MockedProvider mocks={mocks}>
      <ChangePasswordPage />
    </MockedProvider>,
    { at: "/change-password/" },
  );
  return { ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

test.each([
  ["regular", "My Account", "/my-account/"],
  ["corporate", "My Account", "/my-account/"],
  ["admin", "Admin", "/admin/"],
] as const)("shows the title and links %s users back to %s", (role, name, target) => {
  signInAs(role);
  open();
  expect(screen.getByRole("heading", { level: 1, name: "Change Password" })).toBeTruthy();
  expect(screen.getByRole("link", { name: new RegExp(name) }).getAttribute("href")).toBe(target);
});

test("marks the current and new password fields for password managers", () => {
  open();
  expect(field("Existing Password").autocomplete).toBe("current-password");
  expect(field("New password").autocomplete).toBe("new-password");
  expect(field("Confirm password").autocomplete).toBe("new-password");
});

test.each([
  ["Existing Password", "", "Existing password is required."],
  ["New password", "", "Password is required."],
  ["New password", "short1", "Password must have at least 8 characters."],
  ["New password", "no-number-here", "Must have a number."],
  [
    "New password",
    "letmein1",
    "This password is one of the first that attackers try. Please choose one that is harder to guess.",
  ],
  ["Confirm password", "Gantt-charts-45", "Passwords must match"],
])("shows an error if %s is %j: %s", async (label, value, message) => {
  const { submit } = open();
  fill({ ...validValues, [label]: value });
  await submit();
  await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  expect(document.activeElement).toBe(field(label));
});

test("confirms the change and keeps the session", async () => {
  const { submit } = open({ request, result: { data: { changePassword: true } } });
  fill(validValues);
  await submit();
  expect(await screen.findByText("You have changed your password successfully.")).toBeTruthy();
  expect(screen.getByRole("status").textContent).toBe("You have successfully changed your password.");
  expect(screen.getByRole("link", { name: "Back to My Account" })).toBeTruthy();
  expect(getSession()).not.toBeNull();
});

test("shows the error for a wrong existing password under its field and keeps the input", async () => {
  const extensions = { code: "BAD_USER_INPUT", fields: { existingPassword: ["This is not your existing password."] } };
  const { submit } = open({ request, result: { errors: [new GraphQLError("Not valid.", { extensions })] } });
  fill(validValues);
  await submit();
  await waitFor(() => expect(messageUnder(field("Existing Password"))).toBe("This is not your existing password."));
  await waitFor(() => expect(document.activeElement).toBe(field("Existing Password")));
  expect(field("New password").value).toBe("Gantt-charts-44");
});

test("shows the fallback message if there is no response", async () => {
  const { submit } = open({ request, error: new Error("away") });
  fill(validValues);
  await submit();
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to change your password.");
});
