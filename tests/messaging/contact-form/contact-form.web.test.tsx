import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { brand } from "#schema/brand.ts";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Answer, playApi, Refusal } from "#tests/support/play-api.ts";
import { renderWeb, signedOut, signInAs } from "#tests/support/render-web.tsx";
import ContactUsPage from "#web/pages/public/contact-us.tsx";
import { navigationFor } from "#web/app/navigation.ts";
import { currentSession } from "#web/platform/session.ts";
import { notify } from "#web/platform/notifications.ts";

const sent = "Your message has been successfully sent.";
const good = {
  Name: "Ada Byron",
  Email: "ada@example.test",
  "Phone Number": "0400 000 000",
  Message: "Do you sell to schools?",
};
const me = {
  id: "user-1",
  firstName: "Augusta Ada",
  lastName: "Byron",
  email: "ada@work.test",
  mobile: "0499 999 999",
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  signedOut();
  notify.clear();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The form after somebody has looked at it for a while. */
function open(answer: Answer = { sendContactMessage: sent }, sender: Answer = { me }) {
  const asked = playApi({ SendContactMessage: answer, ContactSender: sender });
  const view = renderWeb(<ContactUsPage />, { at: "/contact-us/" });
  vi.setSystemTime(Date.now() + 30_000);
  const send = () => view.user.click(screen.getByRole("button", { name: "Send" }));
  return { asked, send, ...view };
}

test("beside the form stand the mailboxes, the network, the time zones and the registries", () => {
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
});

test("every missing field is named, the first one takes the focus, and nothing is sent", async () => {
  const { asked, send } = open();
  await send();
  await waitFor(() => expect(document.activeElement).toBe(field("Name")));
  const messages = {
    Name: "Name is required.",
    Email: "Email address is required.",
    "Phone Number": "Phone number is required.",
    Message: "Message is required.",
  };
  for (const [label, sentence] of Object.entries(messages))
    expect([label, messageUnder(field(label))]).toEqual([label, sentence]);
  expect((await screen.findByRole("alert")).textContent).toBe(
    "You have one or more fields missing, please correct these and submit again.",
  );
  expect(asked).toEqual([]);
});

test.each([
  ["Name", "A", "Name must have at least 2 characters."],
  ["Name", "A".repeat(31), "Name is too long."],
  ["Email", "ada@", "Invalid email address"],
  ["Phone Number", "040000000", "Invalid phone number."],
  ["Message", "word ".repeat(501), "Message should not exceed 500 Words."],
])("%s that breaks its rule says so, and no longer once mended (case %#)", async (label, value, sentence) => {
  const { asked, send } = open();
  fill({ ...good, [label]: value });
  await send();
  await waitFor(() => expect(messageUnder(field(label))).toBe(sentence));
  await waitFor(() => expect(document.activeElement).toBe(field(label)));
  fill({ [label]: good[label as keyof typeof good] });
  await waitFor(() => expect(messageUnder(field(label))).toBeNull());
  expect(asked).toEqual([]);
});

test("a message is sent with the time it took, success is said, and the form is empty again", async () => {
  const { asked, send } = open();
  fill(good);
  await send();
  expect(await screen.findByText(sent)).toBeTruthy();
  expect(asked.map(({ variables }) => variables.input)).toEqual([
    {
      name: "Ada Byron",
      email: "ada@example.test",
      phone: "0400 000 000",
      message: "Do you sell to schools?",
      website: "",
      secondsTaken: 30,
    },
  ]);
  for (const label of Object.keys(good)) expect([label, field(label).value]).toEqual([label, ""]);
});

test("whoever fills in everything at once waits a moment and is not taken for a program", async () => {
  const { asked, send } = open();
  vi.setSystemTime(Date.now() - 29_000);
  fill(good);
  await send();
  expect(screen.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
  expect(asked).toEqual([]);
  await waitFor(() => expect(asked).toHaveLength(1), { timeout: 3_000 });
  expect(asked[0]?.variables.input).toMatchObject({ secondsTaken: 2 });
});

test("the field for programs is out of reach of people, and what is in it is sent", async () => {
  const { asked, send, container } = open();
  const trap = container.querySelector<HTMLInputElement>("input[name=website]");
  expect(trap?.tabIndex).toBe(-1);
  expect(trap?.closest("[aria-hidden=true]")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: "Leave this empty" })).toBeNull();
  fill({ ...good, "Leave this empty": "https://spam.example" });
  await send();
  await waitFor(() => expect(asked[0]?.variables.input).toMatchObject({ website: "https://spam.example" }));
});

test("for the signed-in the form is filled in, and again after sending", async () => {
  const token = signInAs("regular");
  const { asked, send } = open();
  expect(field("Email").value).toBe("ada@demo.test");
  await waitFor(() => expect(field("Phone Number").value).toBe("0499 999 999"));
  expect([field("Name").value, field("Email").value]).toEqual(["Augusta Ada Byron", "ada@work.test"]);
  fill({ Message: "Hello" });
  await send();
  expect(await screen.findByText(sent)).toBeTruthy();
  expect(asked.map((one) => one.token)).toEqual([`Bearer ${token}`, `Bearer ${token}`]);
  expect([field("Name").value, field("Message").value]).toEqual(["Augusta Ada Byron", ""]);
});

test("what was typed while the profile was on its way stays", async () => {
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

test("a name longer than the form takes is shortened to the first, and a profile that cannot be had is done without", async () => {
  signInAs("regular");
  open(undefined, { me: { ...me, firstName: "A".repeat(30), lastName: "B".repeat(30) } });
  await waitFor(() => expect(field("Name").value).toBe("A".repeat(30)));
});

test.each([
  [new Refusal("RATE_LIMITED", "Too many attempts."), "Too many attempts."],
  [new Refusal("INTERNAL", "Oops, something went wrong."), "Unable to send your message."],
  [
    () => {
      throw new TypeError("Failed to fetch");
    },
    "Unable to send your message.",
  ],
])("a refusal is told in words and nothing typed is lost (case %#)", async (refusal, said) => {
  const { send } = open(refusal);
  fill(good);
  await send();
  expect((await screen.findByRole("alert")).textContent).toBe(said);
  for (const [label, value] of Object.entries(good)) expect([label, field(label).value]).toEqual([label, value]);
});

test("a sentence of the api stands under its field", async () => {
  const { send } = open(
    new Refusal("BAD_USER_INPUT", "Some values are not valid.", { phone: ["Invalid phone number."] }),
  );
  fill(good);
  await send();
  await waitFor(() => expect(messageUnder(field("Phone Number"))).toBe("Invalid phone number."));
});

test("Contact stands in the menus of everybody", () => {
  const contact = { label: "Contact", to: "/contact-us/" };
  expect(navigationFor(null).main).toContainEqual(contact);
  for (const role of ["regular", "corporate", "admin"] as const) {
    signInAs(role);
    expect(navigationFor(currentSession()).main).toContainEqual(contact);
  }
});
