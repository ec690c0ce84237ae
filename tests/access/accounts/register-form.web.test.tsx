import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import {
  getProductIntent,
  hasAcceptedTrial,
  hasTrialIntent,
  rememberProductIntent,
  rememberTrialIntent,
} from "#web/platform/landing.ts";
import RegisterPage from "#web/access/accounts/register-form.tsx";

const handle = "b1b4c7c2-0000-4000-8000-000000000002";
const registered = { register: { confirmationHandle: handle } };

const validValues = {
  "First Name": "Ada",
  "Last Name": "Byron",
  "Organisation / Company Name": "Analytical Planning",
  Position: "Planner",
  Email: "ada@example.test",
  Phone: "+61 400 000 000",
  Password: "Critical-path-31",
  "Confirm password": "Critical-path-31",
  "Unit number": "3",
  "Street number": "120",
  "Street name": "Eagle Street",
  City: "Brisbane",
  State: "QLD",
  "Post Code": "4000",
};

beforeEach(resetSession);

function open(answer: MockedResponse = registered) {
  const requests = mockApi({ Register: answer });
  const view = renderWeb(<RegisterPage />, { at: "/register/" });
  return { requests, ...view, submit: () => view.user.click(screen.getByRole("button", { name: "Submit" })) };
}

const acceptButton = () => screen.getByRole("button", { name: "Accept terms and privacy policy" });

test("shows the requirements and links to the login page and the terms, and reports and focuses missing fields", async () => {
  const { submit, requests } = open();
  expect(screen.getByRole("heading", { level: 1, name: "Register" })).toBeTruthy();
  expect(screen.getByText(/must be true, accurate and identifiable.*must be verified by email/)).toBeTruthy();
  for (const [name, href] of [
    ["Login Now", "/login/"],
    ["terms and conditions", "/terms-and-conditions/"],
    ["privacy policy", "/privacy-policy/"],
  ] as const)
    expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
  expect(field("Country").value).toBe("Australia");
  await submit();
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
    "Organisation / Company Name": null,
    "Unit number": null,
  };
  for (const [label, message] of Object.entries(messages))
    expect([label, messageUnder(field(label))]).toEqual([label, message]);
  expect(messageUnder(acceptButton())).toBe("Please accept the terms and conditions.");
  expect(requests).toEqual([]);
});

test.each([
  ["/register/", "Create your account to subscribe."],
  ["/register/?for=trial", "Create your account to start the trial."],
])("names at %s what opens after the sign-in if a visitor chose a trial and a plan", async (at, lead) => {
  rememberTrialIntent();
  rememberProductIntent("xer-plus-yearly");
  window.history.replaceState(null, "", at);
  renderWeb(<RegisterPage />, { at });
  expect(await screen.findByText(lead)).toBeTruthy();
  expect(getProductIntent()).toBe(at === "/register/" ? "xer-plus-yearly" : null);
  window.history.replaceState(null, "", "/");
});

test("sends the registration once with the trial intent and opens the confirmation page", async () => {
  rememberTrialIntent();
  const { user, submit, requests, place } = open();
  expect(await screen.findByText("Create your account to start the trial.")).toBeTruthy();
  fill(validValues);
  await user.click(screen.getByRole("checkbox", { name: /tester of pre-release versions/ }));
  for (const pressed of ["true", "false", "true"]) {
    await user.click(acceptButton());
    expect(acceptButton().getAttribute("aria-pressed")).toBe(pressed);
  }
  await submit();
  await waitFor(() => expect(place()).toBe(`/email-confirmation/${handle}/`));
  expect(requests).toHaveLength(1);
  // Somebody else may be the next to sign in here, who accepted nothing.
  expect([hasTrialIntent(), hasAcceptedTrial()]).toEqual([true, false]);
  // Only the form has the accepted terms. The trial intent shortens the time allowed for confirming.
  expect(requests[0]?.variables.input).toEqual({
    firstName: "Ada",
    lastName: "Byron",
    companyName: "Analytical Planning",
    position: "Planner",
    email: "ada@example.test",
    mobile: "+61 400 000 000",
    password: "Critical-path-31",
    confirmPassword: "Critical-path-31",
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
    timeZone: "Australia/Perth",
    trialIntent: true,
  });
});

test("applies choices made before the scripts loaded, and only once", async () => {
  window.chosenEarly = [
    ["isTester", true],
    ["country", "Albania"],
    ["no-such-field", true],
  ];
  open();
  expect((await screen.findByRole<HTMLInputElement>("checkbox", { name: /tester/i })).checked).toBe(true);
  expect(field("Country").value).toBe("Albania");
  expect(window.chosenEarly).toBeUndefined();
});
