import { screen, waitFor, within } from "@testing-library/react";
import { GraphQLError } from "graphql";
import { beforeEach, expect, test } from "vitest";
import { deactivationReasons } from "#schema/catalogue.ts";
import {
  askToDeactivate,
  deactivation,
  device,
  devices,
  devicesWith,
  deviceChange,
  laptop,
  openDevices,
} from "#tests/support/devices-page.tsx";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { signedOut } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";

const limitReached =
  "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.";

beforeEach(() => {
  signedOut();
  notify.clear();
});

test("a card shows the machine's name before the bar and when it was last seen, in UTC", async () => {
  openDevices([devices(laptop, device("device-2", "SITE-07"))]);
  const [first, second] = await screen.findAllByRole("listitem");
  expect(within(first as HTMLElement).getByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
  expect(within(first as HTMLElement).getByText("Last Seen")).toBeTruthy();
  expect(within(first as HTMLElement).getByText("03 Sep 2026 14:07 UTC")).toBeTruthy();
  expect(within(second as HTMLElement).getByRole("heading", { name: "SITE-07" })).toBeTruthy();
  expect(screen.getByText("2 of 2 devices in use")).toBeTruthy();
});

test.each([
  ["regular", "My Account", "/my-account/"],
  ["corporate", "My Account", "/my-account/"],
  ["admin", "Licences", "/admin/update-user/user-7/?tab=licences"],
] as const)("the way back of %s is %s", (role, label, href) => {
  openDevices([devices()], role);
  expect(screen.getByRole("link", { name: new RegExp(label) }).getAttribute("href")).toBe(href);
});

test("a corporate customer reads their devices and is told who frees them", async () => {
  openDevices([devices(laptop)], "corporate");
  expect(await screen.findByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Deactivate" })).toBeNull();
  expect(screen.getByText(/This page is read-only/).textContent).toMatch(/in the add-in on it, or replace it/);
});

test("shows the empty sentence without devices", async () => {
  openDevices([devices()]);
  expect(await screen.findByText("You don't have any activated devices for this licence.")).toBeTruthy();
});

test("devices that can't be fetched say so and can be fetched again", async () => {
  const { request } = devices();
  const failure = { request, result: { errors: [new GraphQLError("", { extensions: { code: "INTERNAL" } })] } };
  const { user } = openDevices([failure, devices(laptop)]);
  expect(await screen.findByText("Unable to fetch your active devices.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try Again" }));
  expect(await screen.findByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
});

test("the dialog says what will happen and asks for a reason among the presets", async () => {
  const { user, dialog } = await askToDeactivate([]);
  expect(dialog.getByText("Are you sure you want to deactivate this device? This cannot be undone.")).toBeTruthy();
  const options = within(field("Reason")).getAllByRole("option");
  expect(options.map((option) => option.textContent)).toEqual(["Choose a reason", ...deactivationReasons]);
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(messageUnder(field("Reason"))).toBe("Please state your reason for deactivation."));
  await waitFor(() => expect(document.activeElement).toBe(field("Reason")));
});

test("code 1: the device goes, it is said, and what is left of the year's deactivations is told", async () => {
  const done = "You have successfully deactivated the device.";
  const after = { used: 1, remaining: 2, nextFreeAt: "2027-03-09T04:05:00.000Z" };
  const { user, dialog } = await askToDeactivate([
    deactivation(deviceChange, 1, done),
    devicesWith({ allowance: after }),
  ]);
  fill({ Reason: deviceChange });
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText(done)).toBeTruthy();
  expect(await screen.findByText("You don't have any activated devices for this licence.")).toBeTruthy();
  expect(screen.getByText(/^You have 2 deactivations left within the year. Another one comes free on/)).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toContain("0 of 2 devices in use"));
});

test("code 2: the failure is said, the device stays", async () => {
  const { user, dialog } = await askToDeactivate([
    deactivation(deviceChange, 2, "Unable to deactivate the device."),
    devices(laptop),
  ]);
  fill({ Reason: deviceChange });
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to deactivate the device.");
  expect(screen.getByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
});

test("code 3: a dialog says that the limit is reached and whom to ask", async () => {
  const usedUp = { used: 3, remaining: 0, nextFreeAt: "2027-03-09T04:05:00.000Z" };
  const { user, dialog } = await askToDeactivate([
    deactivation(deviceChange, 3, limitReached, 0),
    devicesWith({ allowance: usedUp }, laptop),
  ]);
  fill({ Reason: deviceChange });
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  const limit = within(await screen.findByRole("dialog", { name: "Deactivation Limit Reached" }));
  expect(limit.getByText(limitReached)).toBeTruthy();
  expect(limit.getByRole("link").getAttribute("href")).toBe("mailto:support@xersolutions.example");
  await user.click(limit.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(
    await screen.findByText(/^You have no deactivations left at the moment. The next one comes free on/),
  ).toBeTruthy();
});

test("no answer keeps the dialog and the chosen reason", async () => {
  const { request } = deactivation(deviceChange, 1, "");
  const { user, dialog } = await askToDeactivate([{ request, error: new Error("gone") }]);
  fill({ Reason: deviceChange });
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to deactivate the device.");
  expect(field("Reason").value).toBe(deviceChange);
});

test("Cancel changes nothing", async () => {
  const { user, dialog } = await askToDeactivate([]);
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
});

test("a card says what is special about its device: virtual, held by a licence file; who uses it where that is news", async () => {
  const special = { isVm: true, offlineUntil: "2026-12-05T10:22:00.000Z" };
  const { unmount } = openDevices([devices(device("device-1", "SITE-07", special))]);
  const card = within(await screen.findByRole("listitem"));
  expect(card.getByText("Virtual machine")).toBeTruthy();
  expect(card.getByText("Licence File Until")).toBeTruthy();
  expect(card.getByText("05 Dec 2026 10:22 UTC")).toBeTruthy();
  expect(card.queryByText("Windows User")).toBeNull();
  unmount();
  openDevices([devices(device("device-1", "SITE-07"))], "corporate");
  expect(await screen.findByText("PLANNING\\ada")).toBeTruthy();
});

test("a customer is told why a device that holds a licence file can't be freed, and from when it can", async () => {
  const { user } = openDevices([devices(device("device-1", "SITE-07", { offlineUntil: "2026-12-05T10:22:00.000Z" }))]);
  await user.click(await screen.findByRole("button", { name: "Deactivate" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Device Is Locked" }));
  expect(dialog.getByText(/You can deactivate it from/).textContent).toContain("05 Dec 2026 10:22 UTC");
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an account that may free none is pointed to support", async () => {
  openDevices([devicesWith({ allowance: { limit: 0, remaining: 0 } }, laptop)]);
  expect(await screen.findByText(/^Devices of your account are freed by our support/)).toBeTruthy();
});

test("what was freed lately is listed with its reason; staff's own words stay with staff", async () => {
  const freed = (id: string, by: string, reason: string | null) => ({
    __typename: "FreedDevice",
    id,
    machineName: `OLD-${id}|site`,
    freedAt: "2026-02-01T08:00:00.000Z",
    by,
    reason,
  });
  const recentlyFreed = [freed("1", "customer", "Device change"), freed("2", "admin", null)];
  openDevices([devicesWith({ recentlyFreed }, laptop)]);
  expect(await screen.findByRole("heading", { name: "Recently freed" })).toBeTruthy();
  const rows = screen.getAllByRole("listitem").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    "OLD-1Device change01 Feb 2026 08:00 UTC",
    "OLD-2Freed by our support01 Feb 2026 08:00 UTC",
  ]);
});

test("customers find the way to offline activation; admins, and owners of seats, do not", async () => {
  const { unmount } = openDevices([devices()]);
  const link = await screen.findByRole("link", { name: "Activate it offline" });
  expect(link.getAttribute("href")).toBe("/offline-activation/");
  unmount();
  const seats = devicesWith({ licence: { licenceActivationType: 2 } });
  for (const [mock, role] of [
    [devices(), "admin"],
    [seats, "corporate"],
  ] as const) {
    const view = openDevices([mock], role);
    await screen.findByText("You don't have any activated devices for this licence.");
    expect(screen.queryByRole("link", { name: "Activate it offline" })).toBeNull();
    view.unmount();
  }
});

test("a seat that is taken or borrowed stands on the card of its device", async () => {
  const expiresAt = "2026-11-21T10:30:00.000Z";
  const seat = { __typename: "Lease", expiresAt, device: { __typename: "Device", id: laptop.id } };
  const leases = [null, expiresAt].map((borrowedUntil, n) => ({ ...seat, id: `lease-${n}`, borrowedUntil }));
  openDevices([devicesWith({ licence: { licenceActivationType: 2, leases } }, laptop)]);
  expect(await screen.findByText("Seat Taken Until")).toBeTruthy();
  expect(screen.getByText("Seat Borrowed Until")).toBeTruthy();
});
