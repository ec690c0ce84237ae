import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { dropFiles, field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { watchSavedFiles } from "#tests/support/watch-saved-files.ts";
import { ActivateOfflineDocument } from "#web/generated/graphql.ts";
import OfflineActivationPage from "#web/licensing/devices/offline-activation.tsx";

const request = JSON.stringify({
  licenceCode: "AB12C-DEF34",
  addInVersion: "7.2.0",
  machine: { machineName: "SITE-07|corp", osUser: "CORP\\ada" },
});
const damaged = "This is not a request file, or it is damaged. Please save it again in the add-in.";
const activation = mockQuery(ActivateOfflineDocument, { input: { requestFile: request } });
const mockActivation = (activateOffline: object) =>
  activation.returns({ activateOffline: { code: "VALID", licenceId: "licence-1", ...activateOffline } });
const mockFieldError = (message: string) =>
  activation.fails("BAD_USER_INPUT", "", { fields: { requestFile: [message] } });

const file = {
  licenceFile: "-----BEGIN LICENCE FILE-----\na.b.c\n-----END LICENCE FILE-----\n",
  goodUntil: "2026-12-05T10:22:00.000Z",
  device: { id: "device-1", machineName: "SITE 07/West|corp", offlineUntil: "2026-12-05T10:22:00.000Z" },
};

function open(mocks: Mock[] = [], role: "regular" | "corporate" = "regular") {
  startAs(role);
  return renderMocked(mocks, <OfflineActivationPage />, "/offline-activation/");
}

const choose = (content: BlobPart, name = "request.json") =>
  fireEvent.change(field("Request file"), { target: { files: [new File([content], name)] } });
const activate = (user: ReturnType<typeof open>["user"]) =>
  user.click(screen.getByRole("button", { name: "Activate" }));

test("shows the details of a chosen file before sending anything", async () => {
  open();
  choose(`\ufeff${request}`);
  expect(await screen.findByRole("heading", { name: "Request details" })).toBeTruthy();
  for (const text of ["request.json", "SITE-07", "AB12C-DEF34", "7.2.0", "CORP\\ada"])
    expect(screen.getByText(text)).toBeTruthy();
  expect(screen.queryByLabelText("Or paste its text")).toBeNull();
});

test("accepts a dropped file in UTF-16", async () => {
  open();
  await dropFiles("Request file", new File([Buffer.from(`\ufeff${request}`, "utf16le")], "request.txt"));
  expect(await screen.findByText("SITE-07")).toBeTruthy();
});

test("shows an error under the field for an invalid file", async () => {
  open();
  choose("nothing");
  await waitFor(() => expect(messageUnder(field("Or paste its text"))).toBe(damaged));
  choose("x".repeat(50_001));
  await waitFor(() => expect(messageUnder(field("Or paste its text"))).toContain("larger than 50 kB"));
  choose(request);
  await waitFor(() => expect(screen.queryByText(/larger than 50 kB/)).toBeNull());
});

test("rejects empty and invalid text without a request to the server", async () => {
  const { user } = open();
  await activate(user);
  await waitFor(() =>
    expect(messageUnder(field("Or paste its text"))).toBe("Please choose or paste the request file."),
  );
  fill({ "Or paste its text": "{cut off" });
  await activate(user);
  await waitFor(() => expect(messageUnder(field("Or paste its text"))).toBe(damaged));
});

test("shows when the licence file expires and downloads it under the machine's name", async () => {
  const { user } = open([mockActivation(file)]);
  fill({ "Or paste its text": request });
  await activate(user);
  const heading = await screen.findByRole("heading", { name: "The licence file for SITE 07/West is ready" });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  expect(screen.getByText("5 Dec 2026, 6:22 pm AWST")).toBeTruthy();
  expect(screen.getByText(/counts towards the device limit and can't be deactivated/)).toBeTruthy();
  const href = "/manage-activated-devices/licence-1/account/";
  expect(screen.getByRole("link", { name: "Manage Activated Devices" }).getAttribute("href")).toBe(href);
  const saved = watchSavedFiles();
  await user.click(screen.getByRole("button", { name: "Download licence-SITE-07-West.lic" }));
  expect(saved[0]?.name).toBe("licence-SITE-07-West.lic");
  expect(await saved[0]?.text).toBe(file.licenceFile);
});

test.each([
  [
    "MACHINE_LIMIT_EXCEEDED",
    "The licence is already in use.",
    "Manage Activated Devices",
    "/manage-activated-devices/licence-1/account/",
  ],
  ["LICENCE_EXPIRED", "This licence has expired.", "Billing", "/manage-subscription/"],
  ["MACHINE_BLOCKED", "This device has been blocked.", "support@planvarro.example", "mailto:support@planvarro.example"],
])("shows the reason and the next step for refusal %s", async (code, message, name, href) => {
  const { user } = open([mockActivation({ code, message })]);
  fill({ "Or paste its text": request });
  await activate(user);
  const sentence = await screen.findByText(message);
  await waitFor(() => expect(document.activeElement).toBe(sentence));
  expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
  expect(field("Or paste its text").value).toBe(request);
});

test("refers a corporate customer, who can't subscribe, to support when the licence has expired", async () => {
  const expired = mockActivation({ code: "LICENCE_EXPIRED", message: "This licence has expired." });
  const { user } = open([expired], "corporate");
  fill({ "Or paste its text": request });
  await activate(user);
  expect(await screen.findByRole("link", { name: "support@planvarro.example" })).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Billing" })).toBeNull();
});

test("shows errors of the server under the field of the text, also of a chosen file, and keeps the text", async () => {
  const missing = "In the request file, nonce: Nonce is required.";
  const { user, unmount } = open([activation.fails("NOT_FOUND"), mockFieldError(missing)]);
  fill({ "Or paste its text": request });
  await activate(user);
  await waitFor(() => expect(messageUnder(field("Or paste its text"))).toContain("doesn't belong to your account"));
  await activate(user);
  await waitFor(() => expect(messageUnder(field("Or paste its text"))).toBe(missing));
  expect(field("Or paste its text").value).toBe(request);
  unmount();
  const { user: another } = open([mockFieldError(missing)]);
  choose(request);
  await screen.findByText("SITE-07");
  await activate(another);
  await waitFor(() => expect(messageUnder(field("Or paste its text"))).toBe(missing));
  await waitFor(() => expect(document.activeElement).toBe(field("Or paste its text")));
});
