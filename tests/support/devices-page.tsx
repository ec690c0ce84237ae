import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
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
import { renderWeb, signInAs } from "./render-web.tsx";

type Mock = MockLink.MockedResponse;

/** One of the preset reasons. */
export const buildDeviceChange = deactivationReasons[1];

/** Builds a device as the API returns it to the page. */
export function buildDevice(id: string, machineName: string, changes: object = {}) {
  return {
    __typename: "Device",
    id,
    machineName,
    lastSeenAt: "2026-09-03T14:07:00.000Z",
    activatedAt: "2026-01-01T00:00:00.000Z",
    isVm: false,
    osUser: "PLANNING\\ada",
    offlineUntil: null,
    ...changes,
  };
}

/** Mocks the licence with these devices. */
export function buildDevices(...list: ReturnType<typeof buildDevice>[]): Mock {
  return buildDevicesWith({}, ...list);
}

/** Mocks the licence with these devices and `changes`. By default, none of the three deactivations of the year is used. */
export function buildDevicesWith(
  changes: { allowance?: object; recentlyFreed?: object[]; licence?: object },
  ...list: ReturnType<typeof buildDevice>[]
): Mock {
  const licence = {
    __typename: "Licence",
    id: "licence-1",
    product: "Planvarro",
    subscriptionLevel: "Professional",
    numberOfMachines: 2,
    licenceActivationType: "STANDARD",
    leases: [],
    ...changes.licence,
    expiresAt: "2027-03-09T04:05:00.000Z",
    status: "ACTIVE",
    devices: list,
    deactivationAllowance: {
      __typename: "DeactivationAllowance",
      limit: 3,
      used: 0,
      remaining: 3,
      nextFreeAt: null,
      resetAt: null,
      ...changes.allowance,
    },
    recentlyFreed: changes.recentlyFreed ?? [],
  };
  return {
    request: { query: ActivatedDevicesDocument, variables: { licenceId: "licence-1" } },
    result: { data: { licence } },
  };
}

/** Mocks the deactivation of device-1. */
export function mockDeactivation(reason: string, code: ResultCode, message: string, deactivationsRemaining = 2): Mock {
  const deactivateDevice = { __typename: "DeactivateDeviceResult", code, message, deactivationsRemaining };
  const variables = { input: { deviceId: "device-1", reason } };
  return { request: { query: DeactivateDeviceDocument, variables }, result: { data: { deactivateDevice } } };
}

/** Default device of the tests. */
export const laptopDevice = buildDevice("device-1", "LAPTOP-ADA|planning.local");

/** Mocks the owner of the licence, which only admins request. */
const mockOwner = (id: string): Mock => ({
  request: { query: OwnerOfDevicesDocument, variables: { licenceId: "licence-1" } },
  result: {
    data: {
      licence: {
        __typename: "Licence",
        id: "licence-1",
        supportCode: "S-7K3QMX9D",
        owner: { __typename: "User", id, firstName: "Ada", lastName: "Lövgren", companyName: "Rail Planning" },
      },
    },
  },
});

const mockViewableUser: Mock = {
  request: { query: ViewableUserDocument, variables: { id: "user-7" } },
  result: { data: { user: { __typename: "User", id: "user-7", memberType: "REGULAR", isActive: true } } },
};

/** Opens the devices page of licence-1 as a customer, or as an admin who comes from the page of user-7. */
export function openDevices(mocks: Mock[], role: Role = "regular", userId = role === "admin" ? "user-7" : "account") {
  signInAs(role);
  const page = (
    <MockedProvider mocks={role === "admin" ? [mockOwner("user-7"), mockViewableUser, ...mocks] : mocks}>
      <Routes>
        <Route path="/manage-activated-devices/:licenceId/:userId/" element={<ManageActivatedDevicesPage />} />
      </Routes>
    </MockedProvider>
  );
  return renderWeb(page, { at: `/manage-activated-devices/licence-1/${userId}/` });
}

/** Opens the page and the dialog that deactivates its first device. */
export async function openDeactivateDialog(mocks: Mock[], role: Role = "regular") {
  const view = openDevices([buildDevices(laptopDevice), ...mocks], role);
  await view.user.click(await screen.findByRole("button", { name: "Deactivate" }));
  return { ...view, dialog: within(await screen.findByRole("dialog", { name: "Deactivate device" })) };
}
