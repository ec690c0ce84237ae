import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import { rememberTrialIntent } from "#web/platform/landing.ts";
import RegisterPage from "#web/pages/public/register.tsx";
import { notify } from "#web/platform/notifications.ts";

const handle = "b1b4c7c2-0000-4000-8000-000000000002";

const validValues = {
  "First Name": "Ada",
  "Last Name": "Byron",
  "Organisation / Company Name": "Analytical Planning",
  Position: "Planner",
  Email: "ada@example.test",
  Phone: "+61 400 000 000",
  Password: "Analytical-1",
  "Confirm password": "Analytical-1",
  "Unit number": "3",
  "Street number": "120",
  "Street name": "Eagle Street",
  City: "Brisbane",
  State: "QLD",
  "Post Code": "4000",
};

function open(answer: MockedResponse = { register: { confirmationHandle: handle } }) {
  resetSession();
  notify.clear();
  const requests = mockApi({ Register: answer });
  return { requests, ...renderWeb(<RegisterPage />, { at: "/register/" }) };
}

const submit = (user: UserEvent) => user.click(screen.getByRole("button", { name: "Submit" }));
const acceptButton = () => screen.getByRole("button", { name: "Accept terms and privacy policy" });

beforeEach(resetSession);

test("shows the title, the requirements and a link to the login page", () => {
  open();
  expect(screen.getByRole("heading", { level: 1, name: "Register" })).toBeTruthy();
  expect(screen.getByText(/must be true, accurate and identifiable.*must be verified by email/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Login Now" }).getAttribute("href")).toBe("/login/");
  expect(field("Country").value).toBe("Australia");
});

test("reports every missing field, focuses the first one and sends nothing", async () => {
  const { user, requests } = open();
  await submit(user);
  await waitFor(() => expect(document.activeElement).toBe(field("First Name")));
  const messages = {
    "First Name": "First name is required.",
    "Last Name": "Last name is required.",
    Position: "Position is required.",
    Email: "Email is required.",
    Phone: "Mobile is required.",
    Password: "Password is required.",
    "Street number": "Street number is required.",
    "Street name": "Street name is required.",
    City: "City is required.",
    State: "State is required.",
    "Post Code": "Post code is required.",
  };
  for (const [label, message] of Object.entries(messages))
    expect([label, messageUnder(field(label))]).toEqual([label, message]);
  expect(messageUnder(acceptButton())).toBe("Please accept the terms and conditions.");
  expect(messageUnder(field("Organisation / Company Name"))).toBeNull();
  expect(messageUnder(field("Unit number"))).toBeNull();
  expect(requests).toEqual([]);
});

test.each([
  ["First Name", "A", "First name must have at least 2 characters."],
  ["First Name", "A".repeat(31), "First name is too long."],
  ["Last Name", "B", "First name must have at least 2 characters."],
  ["Last Name", "B".repeat(31), "First name is too long."],
  ["Email", "ada@", "Invalid email address"],
  ["Password", "short1", "Password must have at least 8 characters."],
  ["Password", "no-number-here", "Must have a number."],
  [
    "Password",
    "Password1!",
    "This password is one of the first that attackers try. Please choose one that is harder to guess.",
  ],
  ["Confirm password", "Analytical-2", "Passwords must match"],
  ["Post Code", "400", "Invalid Australian post code."],
])("shows an error if %s is %j: %s", async (label, value, message) => {
  const { user, requests } = open();
  fill({ ...validValues, [label]: value });
  await user.click(acceptButton());
  await submit(user);
  await waitFor(() => expect(messageUnder(field(label))).toBe(message));
  await waitFor(() => expect(document.activeElement).toBe(field(label)));
  fill({
    [label]: validValues[label as keyof typeof validValues],
    "Confirm password": validValues["Confirm password"],
  });
  await waitFor(() => expect(messageUnder(field(label))).toBeNull());
  expect(requests).toEqual([]);
});

test("lists the states of Australia and the United States, allows any text elsewhere, and checks the post code by country", async () => {
  const { user } = open();
  const states = () => Array.from(screen.getByLabelText<HTMLSelectElement>("State").options ?? [], (one) => one.value);
  expect(states()).toEqual(["", "ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]);
  fill({ ...validValues, Country: "United States" });
  await waitFor(() => expect(states()).toContain("TX"));
  expect(field("State").value).toBe("");
  await submit(user);
  await waitFor(() => expect(messageUnder(field("Post Code"))).toBe("Invalid US post code."));
  fill({ Country: "New Zealand" });
  await waitFor(() => expect(messageUnder(field("Post Code"))).toBeNull());
  expect(field("State").tagName).toBe("INPUT");
});

test("toggles the button that accepts the terms", async () => {
  const { user } = open();
  expect(acceptButton().getAttribute("aria-pressed")).toBe("false");
  await user.click(acceptButton());
  expect(acceptButton().getAttribute("aria-pressed")).toBe("true");
  await user.click(acceptButton());
  expect(acceptButton().getAttribute("aria-pressed")).toBe("false");
});

test("sends the registration once without form-only fields and opens the confirmation page", async () => {
  const { user, requests, place } = open();
  fill(validValues);
  await user.click(screen.getByRole("checkbox", { name: /tester of pre-release versions/ }));
  await user.click(acceptButton());
  await submit(user);
  await waitFor(() => expect(place()).toBe(`/email-confirmation/${handle}/`));
  expect(requests).toHaveLength(1);
  expect(requests[0]?.variables.input).toEqual({
    firstName: "Ada",
    lastName: "Byron",
    companyName: "Analytical Planning",
    position: "Planner",
    email: "ada@example.test",
    mobile: "+61 400 000 000",
    password: "Analytical-1",
    confirmPassword: "Analytical-1",
    fullAddress: "3/120 Eagle Street, Brisbane QLD 4000, Australia",
    unitNumber: "3",
    streetNumber: "120",
    streetName: "Eagle Street",
    city: "Brisbane",
    state: "QLD",
    postCode: "4000",
    country: "Australia",
    isTester: true,
    isServiceProvider: false,
  });
});

test("sends the trial intent, which shortens the time allowed for confirming", async () => {
  const { user, requests } = open();
  rememberTrialIntent();
  fill(validValues);
  await user.click(acceptButton());
  await submit(user);
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(requests[0]?.variables.input).toMatchObject({ trialIntent: true });
});

test.each([
  [
    "under its field",
    new MockedError("BAD_USER_INPUT", "Some values are not valid.", { password: ["Please choose another password."] }),
    "Please choose another password.",
  ],
  ["with the API's message", new MockedError("RATE_LIMITED", "Too many attempts."), "Too many attempts."],
  [
    "with the portal's message if the API has none",
    new MockedError("INTERNAL", "Oops, something went wrong."),
    "Unable to register.",
  ],
])("reports an error %s and keeps the input", async (_, refusal, message) => {
  const { user, place } = open(refusal);
  fill(validValues);
  await user.click(acceptButton());
  await submit(user);
  expect((await screen.findByRole("alert")).textContent).toBe(message);
  const [fieldMessage] = refusal.fields?.password ?? [];
  if (fieldMessage) {
    expect(messageUnder(field("Password"))).toBe(fieldMessage);
    await waitFor(() => expect(document.activeElement).toBe(field("Password")));
  }
  for (const [label, value] of Object.entries(validValues)) expect([label, field(label).value]).toEqual([label, value]);
  expect(acceptButton().getAttribute("aria-pressed")).toBe("true");
  expect(place()).toBe("/register/");
});
