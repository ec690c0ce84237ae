import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import type { RestResponse, TestApp } from "#tests/support/test-app.ts";
import { buildMachine, buildRequest } from "./addin.ts";

/** A pending device authorization as the add-in stores it. */
export type OpenAuthorization = Awaited<ReturnType<typeof openAuthorization>>;

function buildBody(test: TestApp, changes: Record<string, unknown>): Record<string, unknown> {
  const { licenceCode: _, ...common } = buildRequest(test, "", changes);
  return common;
}

export const requestAuthorization = (test: TestApp, changes: Record<string, unknown> = {}): Promise<RestResponse> =>
  test.rest("POST", "/v1/licence/device-authorization", { body: buildBody(test, { clientId: "addin", ...changes }) });

/** Starts a device authorization on a new machine or on `me`. */
export async function openAuthorization(test: TestApp, me = buildMachine()) {
  const { status, json } = await requestAuthorization(test, { machine: me });
  if (status !== 200) throw new Error(`the device authorization returned ${status}`);
  return { machine: me, deviceCode: json.device_code as string, userCode: json.user_code as string };
}

/** Starts a device authorization and confirms it as the customer, on a licence of theirs. */
export async function openConfirmed(test: TestApp, licence: Pick<Licence, "id">, token: string, me = buildMachine()) {
  const open = await openAuthorization(test, me);
  await confirmAuthorization(test, { userCode: open.userCode, licenceId: licence.id }, token);
  return open;
}

/** Polls a device authorization as the add-in on its machine, with `changes`. */
export const pollAuthorization = (
  test: TestApp,
  { deviceCode, machine: me }: OpenAuthorization,
  changes: Record<string, unknown> = {},
): Promise<RestResponse> =>
  test.rest("POST", "/v1/licence/device-authorization/token", {
    body: buildBody(test, { device_code: deviceCode, machine: me, ...changes }),
  });

const fields = `id userCode state message machineName osUser addInVersion ip isSameNetwork licenceId licenceIdsWithPlace
  deactivationsRemaining`;

/** Looks up a user code as the signed-in customer. */
export const viewAuthorization = (test: TestApp, userCode: string, token: string) =>
  test.graphql(`deviceAuthorization { ${fields} }`, { userCode }, token);

export const confirmAuthorization = (
  test: TestApp,
  input: { userCode: string; licenceId: string; replaceDeviceId?: string },
  token: string,
) => test.graphql(`confirmDeviceAuthorization { ${fields} }`, { input }, token);

export const denyAuthorization = (test: TestApp, userCode: string, token: string) =>
  test.graphql(`denyDeviceAuthorization { ${fields} }`, { userCode }, token);
