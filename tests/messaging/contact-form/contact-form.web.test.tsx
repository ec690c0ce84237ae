import { screen, waitFor, render } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router-dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { brand } from "#schema/brand.ts";
import ContactUsPage from "#web/messaging/contact-form/contact-us-page.tsx";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { renderWeb, resetSession, signInAs } from "#tests/support/render-web.tsx";

const sent = "Your message has been successfully sent.";
const good = {
  Name: "Ada Byron",
  Email: "ada@example.test",
  "Phone Number": "0400 000 000",
  Message: "Do you sell to schools?",
};
const name = { firstName: "Augusta Ada", lastName: "Byron" };
const me = { id: "user-1", ...name, email: "ada@work.test", mobile: "0499 999 999" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  resetSession();
});
afterEach(() => void vi.useRealTimers());

/** Renders the form as if it had been open for 30 seconds. */
function open(
  answer: MockedResponse = { sendContactMessage: { __typename: "ContactMessageReceipt", message: sent } },
  sender: MockedResponse = { me },
) {
  const requests = mockApi({ SendContactMessage: answer, ContactSender: sender });
  const view = renderWeb(<ContactUsPage />, { at: "/contact-us/" });
  vi.setSystemTime(Date.now() + 30_000);
  const send = () => view.user.click(screen.getByRole("button", { name: "Send" }));
  return { requests, send, ...view };
}

test("shows the mailboxes, the network link, the time zone note and the company registration", () => {
  open();
  expect(screen.getByRole("heading", { level: 1, name: "Contact Us" })).toBeTruthy();
  for (const { label, email } of Object.values(brand.mailboxes)) {
    expect(screen.getByText(label)).toBeTruthy();
    expect(screen.getByRole("link", { name: email }).getAttribute("href")).toBe(`mailto:${email}`);
  }
  expect(screen.getByRole("link", { name: brand.networkLabel }).getAttribute("href")).toBe(brand.networkUrl);
  expect(screen.getByText(/Replies may be delayed because of time zone differences/)).toBeTruthy();
  expect(screen.getByText(brand.company.abn)).toBeTruthy();
  expect(screen.getByText(brand.company.acn)).toBeTruthy();
  // Without scripts, Send is hidden, because the address of the page accepts no POST.
  expect(screen.getByRole("button", { name: "Send" }).dataset).toHaveProperty("needsScripts");
});

test("shows an error for every missing field until it is corrected, focuses the first one and sends nothing", async () => {
  const { requests, send } = open();
  await send();
  await waitFor(() => expect(document.activeElement).toBe(field("Name")));
  for (const label of Object.keys(good)) expect(messageUnder(field(label)), label).toMatch(/ is required\.$/);
  fill({ "Phone Number": good["Phone Number"] });
  await waitFor(() => expect(messageUnder(field("Phone Number"))).toBeNull());
  expect((await screen.findByRole("alert")).textContent).toBe(
    "You have one or more fields missing, please correct these and submit again.",
  );
  expect(requests).toEqual([]);
});

test("sends the message with the time taken, shows the confirmation and clears the form", async () => {
  const { requests, send } = open();
  fill(good);
  await send();
  expect(await screen.findByText(sent)).toBeTruthy();
  const input = { name: "Ada Byron", email: "ada@example.test", phone: "0400 000 000", message: good.Message };
  expect(requests.map(({ variables }) => variables.input)).toEqual([{ ...input, website: "", secondsTaken: 30 }]);
  for (const label of Object.keys(good)) expect([label, field(label).value]).toEqual([label, ""]);
});

test("waits before sending a form that was filled in immediately, so that it isn't treated as spam", async () => {
  const { requests, send } = open();
  vi.setSystemTime(Date.now() - 29_000);
  fill(good);
  await send();
  expect(screen.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
  expect(requests).toEqual([]);
  await waitFor(() => expect(requests).toHaveLength(1), { timeout: 3_000 });
  expect(requests[0]?.variables.input).toMatchObject({ secondsTaken: 2 });
});

test("hides the honeypot field from users and sends its value", async () => {
  const { requests, send, container } = open();
  const trap = container.querySelector<HTMLInputElement>("input[name=website]");
  expect(trap?.tabIndex).toBe(-1);
  expect(trap?.closest("[aria-hidden=true]")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Leave this empty" })).toBeNull();
  fill({ ...good, "Leave this empty": "https://spam.example" });
  await send();
  await waitFor(() => expect(requests[0]?.variables.input).toMatchObject({ website: "https://spam.example" }));
});

test("prefills the form for a signed-in user, and again after sending", async () => {
  const token = signInAs("regular");
  const { requests, send } = open();
  expect(field("Email").value).toBe("ada@demo.test");
  await waitFor(() => expect(field("Phone Number").value).toBe("0499 999 999"));
  expect([field("Name").value, field("Email").value]).toEqual(["Augusta Ada Byron", "ada@work.test"]);
  fill({ Message: "Hello" });
  await send();
  expect(await screen.findByText(sent)).toBeTruthy();
  expect(requests.map(({ token: sentToken }) => sentToken)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  expect([field("Name").value, field("Message").value]).toEqual(["Augusta Ada Byron", ""]);
});

test("keeps input that was typed while the profile was loading", async () => {
  signInAs("corporate");
  let arrive: (data: object) => void = () => {};
  open(undefined, () => new Promise((resolve) => (arrive = resolve)));
  fill({ Email: "other@example.test", Message: "Hello" });
  await waitFor(() => expect(arrive).not.toBe(undefined));
  await new Promise((resolve) => setTimeout(resolve));
  arrive({ me });
  await waitFor(() => expect(field("Phone Number").value).toBe("0499 999 999"));
  expect([field("Email").value, field("Message").value]).toEqual(["other@example.test", "Hello"]);
});

test("prefills only the first name if the full name is too long", async () => {
  signInAs("regular");
  open(undefined, { me: { ...me, firstName: "A".repeat(30), lastName: "B".repeat(30) } });
  await waitFor(() => expect(field("Name").value).toBe("A".repeat(30)));
});

test("prefills a full name whose letters are more than one UTF-16 unit each", async () => {
  signInAs("regular");
  open(undefined, { me: { ...me, firstName: "श्रीनिवासन्", lastName: "वेंकटरामकृष्णन् चट्टोपाध्याय" } });
  await waitFor(() => expect(field("Name").value).toBe("श्रीनिवासन् वेंकटरामकृष्णन् चट्टोपाध्याय"));
});

test("keeps the input if sending fails, and shows an API error below its field", async () => {
  let error: unknown = new TypeError("Failed to fetch");
  const { send } = open(() => {
    if (error instanceof MockedError) return error;
    throw error as Error;
  });
  fill(good);
  await send();
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to send your message.");
  for (const [label, value] of Object.entries(good)) expect([label, field(label).value]).toEqual([label, value]);
  error = new MockedError("BAD_USER_INPUT", "Some values are not valid.", { phone: ["Invalid phone number."] });
  await send();
  await waitFor(() => expect(messageUnder(field("Phone Number"))).toBe("Invalid phone number."));
});

test("keeps the input of a signed-in user in a prerendered form, and prefills the other fields", async () => {
  mockApi({ ContactSender: { me } });
  signInAs("regular");
  const page = (
    <MemoryRouter initialEntries={["/contact-us/"]}>
      <ContactUsPage />
    </MemoryRouter>
  );
  const container = document.createElement("div");
  container.innerHTML = renderToString(page);
  document.body.append(container);
  field("Name").value = "Countess";
  field("Message").value = "Is there a trial?\nFor two of us?";
  const { unmount } = render(page, { container, hydrate: true });
  await waitFor(() => expect(field("Phone Number").value).toBe("0499 999 999"));
  expect([field("Name").value, field("Email").value]).toEqual(["Countess", "ada@work.test"]);
  expect(field("Message").value).toBe("Is there a trial?\nFor two of us?");
  unmount();
  container.remove();
});
