import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { deactivationReasons } from "#schema/device.ts";
import {
  openDeactivateDialog,
  mockDeactivation,
  buildDevice,
  buildDevices,
  buildDevicesWith,
  buildDeviceChange,
  laptopDevice,
  openDevices,
} from "#tests/support/devices-page.tsx";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { resetSession } from "#tests/support/render-web.tsx";
import { BlockMachineOfDocument } from "#web/generated/graphql.ts";
import { failing, mockQuery } from "#tests/support/mock-query.tsx";

const limitReached =
  "Sorry, you have reached your deactivation limit and therefore cannot deactivate this device. Please contact support.";

beforeEach(resetSession);

test("shows an error and loads again, with machine names up to the | character and last-seen times in UTC", async () => {
  const { user } = openDevices([
    failing(buildDevices()),
    buildDevices(laptopDevice, buildDevice("device-2", "SITE-07")),
  ]);
  expect(await screen.findByText("Unable to fetch your active devices.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Try again" }));
  const [first, second] = await screen.findAllByRole("listitem");
  expect(within(first as HTMLElement).getByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
  expect(within(first as HTMLElement).getByText("Last Seen")).toBeTruthy();
  expect(within(first as HTMLElement).getByText("03 Sep 2026 14:07 UTC")).toBeTruthy();
  expect(within(second as HTMLElement).getByRole("heading", { name: "SITE-07" })).toBeTruthy();
  expect(screen.getByText("2 of 2 devices in use")).toBeTruthy();
});

test("separates the thousands of a large deactivation limit", async () => {
  openDevices([buildDevicesWith({ allowance: { limit: 1_000, used: 0, remaining: 1_000 } })]);
  expect(await screen.findByText(/^You have 1,000 deactivations left \(1,000 per year\)/)).toBeTruthy();
});

test("is read-only for corporate customers, with instructions, and links each role back", async () => {
  for (const [role, label, href] of [
    ["corporate", "My Account", "/my-account/"],
    ["admin", "Licences", "/admin/update-user/user-7/?tab=licences"],
    ["regular", "My Account", "/my-account/"],
  ] as const) {
    const { unmount } = openDevices([buildDevices(laptopDevice)], role);
    expect(screen.getByRole("link", { name: new RegExp(label) }).getAttribute("href")).toBe(href);
    expect(await screen.findByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Deactivate" }) === null).toBe(role === "corporate");
    if (role === "corporate")
      expect(screen.getByText(/This page is read-only/).textContent).toMatch(/in the add-in on it, or replace it/);
    unmount();
  }
});

test("requires a preset reason, removes the device and shows the deactivations left when the server returns code 1", async () => {
  const done = "You have successfully deactivated the device.";
  const after = { used: 1, remaining: 2, nextFreeAt: "2027-03-09T04:05:00.000Z" };
  const { user, dialog } = await openDeactivateDialog([
    mockDeactivation(buildDeviceChange, "VALID", done),
    buildDevicesWith({ allowance: after }),
  ]);
  expect(dialog.getByText("Are you sure you want to deactivate this device? This cannot be undone.")).toBeTruthy();
  const options = within(field("Reason")).getAllByRole("option");
  expect(options.map((option) => option.textContent)).toEqual(["Choose a reason", ...deactivationReasons]);
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  await waitFor(() => expect(messageUnder(field("Reason"))).toBe("Please state your reason for deactivation."));
  await waitFor(() => expect(document.activeElement).toBe(field("Reason")));
  fill({ Reason: buildDeviceChange });
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  expect(await screen.findByText(done)).toBeTruthy();
  expect(await screen.findByText("You don't have any activated devices for this licence.")).toBeTruthy();
  const found = screen.getByText(/^You have 2 deactivations left \(3 per year\)\. Another one becomes available on/);
  expect(found).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toContain("0 of 2 devices in use"));
});

test("keeps the device when the server returns code 2, and the reason when it fails", async () => {
  const refused = mockDeactivation(buildDeviceChange, "FAILED", "Unable to deactivate the device.");
  const failed = { request: refused.request, error: new Error("gone") };
  const { user, dialog } = await openDeactivateDialog([failed, refused, buildDevices(laptopDevice)]);
  fill({ Reason: buildDeviceChange });
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  expect((await screen.findByRole("alert")).textContent).toBe("Unable to deactivate the device.");
  expect(field("Reason").value).toBe(buildDeviceChange);
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.getByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
});

test("shows a dialog with the support address when the server returns code 3", async () => {
  const usedUp = { used: 3, remaining: 0, nextFreeAt: "2027-03-09T04:05:00.000Z" };
  const { user, dialog } = await openDeactivateDialog([
    mockDeactivation(buildDeviceChange, "DEACTIVATION_LIMIT_EXCEEDED", limitReached, 0),
    buildDevicesWith({ allowance: usedUp }, laptopDevice),
  ]);
  fill({ Reason: buildDeviceChange });
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  const limit = within(await screen.findByRole("dialog", { name: "Deactivation limit reached" }));
  expect(limit.getByText(limitReached)).toBeTruthy();
  expect(limit.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "mailto:support@planvarro.example",
    "/resources-and-support/knowledge-base/deactivation-limit/",
  ]);
  await user.click(limit.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(
    await screen.findByText(/^You have no deactivations left at the moment. The next one becomes available on/),
  ).toBeTruthy();
});

test("marks virtual machines and devices locked by a licence file, and shows corporate customers the Windows user", async () => {
  const special = { isVm: true, offlineUntil: "2026-12-05T10:22:00.000Z" };
  const { user, unmount } = openDevices([buildDevices(buildDevice("device-1", "SITE-07", special))]);
  const card = within(await screen.findByRole("listitem"));
  for (const text of ["Virtual machine", "Licence file until", "5 Dec 2026, 6:22 pm AWST"])
    expect(card.getByText(text)).toBeTruthy();
  expect(card.queryByText("Windows user")).toBeNull();
  await user.click(card.getByRole("button", { name: "Deactivate" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Device is locked" }));
  expect(dialog.getByText(/You can deactivate it from/).textContent).toContain("5 Dec 2026, 6:22 pm AWST");
  await user.click(dialog.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  unmount();
  openDevices([buildDevices(buildDevice("device-1", "SITE-07"))], "corporate");
  expect(await screen.findByText("PLANNING\\ada")).toBeTruthy();
});

test("lists recently deactivated devices without reasons given by staff, and refers customers with a limit of 0 to support", async () => {
  const deactivated = (id: string, by: string, reason: string | null) => ({
    id,
    machineName: `OLD-${id}|site`,
    freedAt: "2026-02-01T08:00:00.000Z",
    by,
    reason,
  });
  const recentlyDeactivated = [deactivated("1", "CUSTOMER", "Device change"), deactivated("2", "ADMIN", null)];
  const allowance = { limit: 0, remaining: 0 };
  openDevices([buildDevicesWith({ allowance, recentlyFreed: recentlyDeactivated }, laptopDevice)]);
  expect(await screen.findByText(/^To deactivate a device, please contact support at/)).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "Recently deactivated" })).toBeTruthy();
  const rows = screen.getAllByRole("listitem").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    "OLD-1Device change1 Feb 2026, 4:00 pm AWST",
    "OLD-2Deactivated by support1 Feb 2026, 4:00 pm AWST",
  ]);
});

test("links to offline activation, except for admins and licences with seats", async () => {
  const { unmount } = openDevices([buildDevices()]);
  const link = await screen.findByRole("link", { name: "Offline activation" });
  expect(link.getAttribute("href")).toBe("/offline-activation/");
  unmount();
  const seats = buildDevicesWith({ licence: { licenceActivationType: "CONCURRENT" } });
  for (const [mock, role] of [
    [buildDevices(), "admin"],
    [seats, "corporate"],
  ] as const) {
    const view = openDevices([mock], role);
    await screen.findByText("You don't have any activated devices for this licence.");
    expect(screen.queryByRole("link", { name: "Offline activation" })).toBeNull();
    view.unmount();
  }
});

test("shows taken and borrowed seats on the device's card", async () => {
  const expiresAt = "2026-11-21T10:30:00.000Z";
  const seat = { expiresAt, device: { id: laptopDevice.id } };
  const leases = [null, null, expiresAt].map((borrowedUntil, n) => ({ ...seat, id: `lease-${n}`, borrowedUntil }));
  openDevices([buildDevicesWith({ licence: { licenceActivationType: "CONCURRENT", leases } }, laptopDevice)]);
  expect(await screen.findAllByText("Seat taken until")).toHaveLength(2);
  expect(screen.getByText("Seat borrowed until")).toBeTruthy();
});

test("shows not found for a licence under another user's id", async () => {
  openDevices([buildDevices(laptopDevice)], "admin", "user-8");
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
  expect(screen.queryByText(/Lövgren|LAPTOP-ADA/)).toBeNull();
  expect(screen.queryByRole("link", { name: "View licence history" })).toBeNull();
});

test("lets admins enter another reason and does not count the deactivation", async () => {
  const done = "You have successfully deactivated the device.";
  const reason = "Laptop was stolen.\nReported to the police.";
  const mocks = [mockDeactivation(reason, "VALID", done), buildDevices()];
  const { user, dialog } = await openDeactivateDialog(mocks, "admin");
  fill({ Reason: "Other" });
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  await waitFor(() => expect(messageUnder(field("Other reason"))).toBe("Please state your reason for deactivation."));
  fill({ "Other reason": reason });
  await user.click(dialog.getByRole("button", { name: "Deactivate" }));
  expect(await screen.findByText(done)).toBeTruthy();
  expect(screen.getByText(/^The customer has used 0 of 3 deactivations in the last year\./)).toBeTruthy();
});

test("shows the owner, warns before a device with a licence file is deactivated, and blocks a machine", async () => {
  const blocked = mockQuery(BlockMachineOfDocument, { userId: "user-7", deviceId: "device-1" }).returns({
    blockMachineOf: { id: "user-7", revision: 2, blockedMachines: [{ machineName: "SITE-07" }] },
  });
  const locked = buildDevice("device-1", "SITE-07|4c4c", { offlineUntil: "2026-12-05T10:22:00.000Z" });
  const { user } = openDevices([buildDevices(locked), blocked], "admin");
  expect(await screen.findByText("Ada Lövgren")).toBeTruthy();
  expect(screen.getByText(/, Rail Planning, on licence S-7K3QMX9D\./)).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Manage Activated Devices" })).toBeTruthy();
  await user.click(await screen.findByRole("button", { name: "Deactivate" }));
  const question = within(await screen.findByRole("dialog", { name: "Deactivate device" }));
  expect(question.getByText(/does not end that file/).textContent).toContain("5 Dec 2026, 6:22 pm AWST");
  await user.click(question.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(await screen.findByRole("button", { name: "Block this machine" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Block this machine" }));
  expect(dialog.getByText("SITE-07")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Block" }));
  expect(await screen.findByText("SITE-07 is blocked on every licence of this user.")).toBeTruthy();
});
