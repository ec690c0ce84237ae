import { screen, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { deactivationReasons } from "#schema/device.ts";
import type { Role } from "#web/platform/session.ts";
import {
  ActivatedDevicesDocument,
  DeactivateDeviceDocument,
  OwnerOfDevicesDocument,
  ViewableUserDocument,
  type ResultCode,
} from "#web/generated/graphql.ts";
import ManageActivatedDevicesPage from "#web/licensing/devices/activated-devices-page.tsx";
import { type Mock, mockQuery, renderMocked } from "./mock-query.tsx";
import { signInAs } from "./render-web.tsx";

/** One of the preset reasons. */
export const buildDeviceChange = deactivationReasons[1];

/** Builds a device as the API returns it to the page. */
export const buildDevice = (id: string, machineName: string, changes: object = {}) => ({
  id,
  machineName,
  lastSeenAt: "2026-09-03T14:07:00.000Z",
  osUser: "PLANNING\\ada",
  ...changes,
});

type Device = ReturnType<typeof buildDevice>;

/** Mocks the licence with these devices. */
export const buildDevices = (...list: Device[]): Mock => buildDevicesWith({}, ...list);

/** Mocks the licence with these devices and `changes`. By default, none of the three deactivations of the year is used. */
export function buildDevicesWith(
  changes: { allowance?: object; recentlyFreed?: object[]; licence?: object },
  ...devices: Device[]
): Mock {
  const licence = {
    id: "licence-1",
    product: "Planvarro",
    subscriptionLevel: "Professional",
    numberOfMachines: 2,
    licenceActivationType: "STANDARD",
    ...changes.licence,
    expiresAt: "2027-03-09T04:05:00.000Z",
    status: "ACTIVE",
    devices,
    deactivationAllowance: { limit: 3, remaining: 3, ...changes.allowance },
    recentlyFreed: changes.recentlyFreed,
  };
  return mockQuery(ActivatedDevicesDocument, { licenceId: "licence-1" }).returns({ licence });
}

/** Mocks the deactivation of device-1. */
export function mockDeactivation(reason: string, code: ResultCode, message: string, deactivationsRemaining = 2): Mock {
  const deactivating = mockQuery(DeactivateDeviceDocument, { input: { deviceId: "device-1", reason } });
  return deactivating.returns({ deactivateDevice: { code, message, deactivationsRemaining } });
}

/** Default device of the tests. */
export const laptopDevice = buildDevice("device-1", "LAPTOP-ADA|planning.local");

/** Mocks the owner of the licence, which only admins request. */
const mockOwner = (id: string): Mock => {
  const owner = { id, firstName: "Ada", lastName: "Lövgren", companyName: "Rail Planning" };
  const licence = { id: "licence-1", supportCode: "S-7K3QMX9D", owner };
  return mockQuery(OwnerOfDevicesDocument, { licenceId: "licence-1" }).returns({ licence });
};

const mockViewableUser = mockQuery(ViewableUserDocument, { id: "user-7" }).returns({
  user: { id: "user-7", memberType: "REGULAR", isActive: true },
});

/** Opens the devices page of licence-1 as a customer, or as an admin who comes from the page of user-7. */
export function openDevices(mocks: Mock[], role: Role = "regular", userId = role === "admin" ? "user-7" : "account") {
  signInAs(role);
  const page = (
    <Routes>
      <Route path="/manage-activated-devices/:licenceId/:userId/" element={<ManageActivatedDevicesPage />} />
    </Routes>
  );
  const all = role === "admin" ? [mockOwner("user-7"), mockViewableUser, ...mocks] : mocks;
  return renderMocked(all, page, `/manage-activated-devices/licence-1/${userId}/`);
}

/** Opens the page and the dialog that deactivates its first device. */
export async function openDeactivateDialog(mocks: Mock[], role: Role = "regular") {
  const view = openDevices([buildDevices(laptopDevice), ...mocks], role);
  await view.user.click(await screen.findByRole("button", { name: "Deactivate" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Deactivate device" })) };
}
