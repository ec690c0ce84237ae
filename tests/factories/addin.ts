import type { Device } from "#api/licensing/devices/device.entity.ts";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { RestResponse, TestApp } from "#tests/support/test-app.ts";
import { getMachineToken } from "./licence.ts";

let count = 0;

/** Builds a machine with a unique name, fingerprint and components, with `changes`. */
export function buildMachine(changes: Record<string, unknown> = {}) {
  count++;
  const names = { machineName: `LAPTOP-${count}|planning.local`, fingerprint: `machine-fingerprint-${count}` };
  const components = { board: `board-${count}`, disk: `disk-${count}`, cpu: `cpu-${count}`, mac: `mac-${count}` };
  return { ...names, components, osUser: "PLANNING\\ada", isVm: false, ...changes };
}

/** Builds the machine of a device that `createDevice` created, with `changes`. */
export const toMachine = (device: Device, changes: Record<string, unknown> = {}) => ({
  machineName: device.machineName,
  fingerprint: device.fingerprint,
  isVm: device.isVm,
  ...changes,
});

/** Builds the common request body of the add-in's calls, with `changes`. */
export const buildRequest = (test: TestApp, licenceCode: string, changes: Record<string, unknown> = {}) => ({
  licenceCode,
  nonce: `nonce-${++count}-0123456789`,
  clientTimeUtc: test.clock.now().toISOString(),
  addInVersion: "7.2.0",
  hostVersion: "16.0.17328",
  machine: buildMachine(),
  ...changes,
});

/** Calls the API as the add-in on a new machine. `call` is a path such as `activate`, `validate` or `deactivate`. */
export const callAddin = (
  test: TestApp,
  call: string,
  licence: Pick<Licence, "licenceCode">,
  changes: Record<string, unknown> = {},
): Promise<RestResponse> =>
  test.rest("POST", `/v1/licence/${call}`, { body: buildRequest(test, licence.licenceCode, changes) });

/** Builds a request of a device that `createDevice` created, with `changes`. */
export function buildRequestFrom(
  test: TestApp,
  device: Device,
  { licenceCode }: Licence,
  changes: Record<string, unknown> = {},
) {
  const own = { machine: toMachine(device), machineToken: getMachineToken(test, device) };
  return buildRequest(test, licenceCode, { ...own, ...changes });
}

/** Builds the checked values of a request like {@link buildRequestFrom}, for direct calls of actions. */
export const buildValuesFrom = (...request: Parameters<typeof buildRequestFrom>) =>
  ({ ...buildRequestFrom(...request), clientTimeUtc: request[0].clock.now() }) as never;

/** Calls the API as the add-in on a device that `createDevice` created. */
export const callAddinFrom = (
  test: TestApp,
  device: Device,
  call: string,
  licence: Licence,
  changes: Record<string, unknown> = {},
): Promise<RestResponse> =>
  test.rest("POST", `/v1/licence/${call}`, { body: buildRequestFrom(test, device, licence, changes) });
