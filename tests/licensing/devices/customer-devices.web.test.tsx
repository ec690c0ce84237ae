import type { MockLink } from "@apollo/client/testing";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import {
  openDeactivateDialog,
  mockDeactivation,
  buildDevice,
  buildDevices,
  laptopDevice,
  openDevices,
} from "#tests/support/devices-page.tsx";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { resetSession } from "#tests/support/render-web.tsx";
import { notify } from "#web/platform/notifications.ts";
import { BlockMachineOfDocument } from "#web/generated/graphql.ts";

beforeEach(() => {
  resetSession();
  notify.clear();
});

test("shows admins the owner of the devices", async () => {
  openDevices([buildDevices(laptopDevice)], "admin");
  expect(await screen.findByText("Ada Lövgren")).toBeTruthy();
  expect(screen.getByText(/, Rail Planning, on licence S-7K3QMX9D\./)).toBeTruthy();
  expect(await screen.findByRole("heading", { name: "LAPTOP-ADA" })).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1, name: "Manage Activated Devices" })).toBeTruthy();
});

test("shows not found for a licence under another user's id", async () => {
  openDevices([buildDevices(laptopDevice)], "admin", "user-8");
  expect(await screen.findByText("Sorry, we could not find what you asked for.")).toBeTruthy();
  expect(screen.queryByText(/Lövgren|LAPTOP-ADA/)).toBeNull();
  expect(screen.queryByRole("link", { name: "View licence history" })).toBeNull();
});

test("lets admins enter another reason and does not count the deactivation", async () => {
  const done = "You have successfully deactivated the device.";
  const { user, dialog } = await openDeactivateDialog(
    [mockDeactivation("Laptop was stolen", 1, done), buildDevices()],
    "admin",
  );
  fill({ Reason: "Other" });
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  await waitFor(() => expect(messageUnder(field("Other reason"))).toBe("Please state your reason for deactivation."));
  fill({ "Other reason": "Laptop was stolen" });
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText(done)).toBeTruthy();
  expect(screen.getByText(/^The customer has used 0 of 3 deactivations in the last year\./)).toBeTruthy();
});

test("warns admins before they deactivate a device with a licence file", async () => {
  const locked = buildDevice("device-1", "SITE-07", { offlineUntil: "2026-12-05T10:22:00.000Z" });
  const { user } = openDevices([buildDevices(locked)], "admin");
  await user.click(await screen.findByRole("button", { name: "Deactivate" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Deactivate device" }));
  expect(dialog.getByText(/does not end that file/).textContent).toContain("05 Dec 2026 10:22 UTC");
});

test("lets admins block a machine after a confirmation with its name", async () => {
  const blocked: MockLink.MockedResponse = {
    request: { query: BlockMachineOfDocument, variables: { userId: "user-7", deviceId: "device-1" } },
    result: {
      data: {
        blockMachineOf: {
          __typename: "User",
          id: "user-7",
          revision: 2,
          blockedMachines: [{ __typename: "BlockedMachine", machineName: "SITE-07" }],
        },
      },
    },
  };
  const { user } = openDevices([buildDevices(buildDevice("device-1", "SITE-07|4c4c")), blocked], "admin");
  await user.click(await screen.findByRole("button", { name: "Block this machine" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Block this machine" }));
  expect(dialog.getByText("SITE-07")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Yes" }));
  expect(await screen.findByText("SITE-07 is blocked on every licence of this user.")).toBeTruthy();
});
