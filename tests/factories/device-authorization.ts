import type { RestAnswer, TestApp } from "#tests/support/test-app.ts";
import { machine, question } from "./addin.ts";

/** A machine's open request to be activated, as its add-in holds it. */
export interface OpenAuthorization {
  readonly machine: ReturnType<typeof machine>;
  readonly deviceCode: string;
  readonly userCode: string;
}

function body(test: TestApp, changes: Record<string, unknown>): Record<string, unknown> {
  const { licenceCode: _, ...common } = question(test, "", changes);
  return common;
}

/** The raw call that begins. */
export function requestAuthorization(test: TestApp, changes: Record<string, unknown> = {}): Promise<RestAnswer> {
  return test.rest("POST", "/v1/licence/device-authorization", { body: body(test, { clientId: "addin", ...changes }) });
}

/** Begins an activation on a machine of its own, or the given one. */
export async function openAuthorization(test: TestApp, me = machine()): Promise<OpenAuthorization> {
  const { status, json } = await requestAuthorization(test, { machine: me });
  if (status !== 200) throw new Error(`the request was answered ${status}`);
  return { machine: me, deviceCode: json.device_code, userCode: json.user_code };
}

/** Asks what became of it, as the add-in on its machine or as `changes` say. */
export function poll(
  test: TestApp,
  { deviceCode, machine: me }: OpenAuthorization,
  changes: Record<string, unknown> = {},
): Promise<RestAnswer> {
  return test.rest("POST", "/v1/licence/device-authorization/token", {
    body: body(test, { device_code: deviceCode, machine: me, ...changes }),
  });
}

const view = `id userCode state message machineName osUser addInVersion ip isSameNetwork licenceId licenceIdsWithPlace
  deactivationsRemaining`;

/** What the signed-in customer sees behind a code. */
export const lookUp = (test: TestApp, userCode: string, token: string) =>
  test.graphql(
    `query ($userCode: String!) { deviceAuthorization(userCode: $userCode) { ${view} } }`,
    { userCode },
    token,
  );

/** The customer's yes. */
export const confirm = (
  test: TestApp,
  input: { userCode: string; licenceId: string; replaceDeviceId?: string },
  token: string,
) =>
  test.graphql(
    `mutation ($input: ConfirmDeviceAuthorizationInput!) { confirmDeviceAuthorization(input: $input) { ${view} } }`,
    { input },
    token,
  );

/** The customer's no. */
export const deny = (test: TestApp, userCode: string, token: string) =>
  test.graphql(
    `mutation ($userCode: String!) { denyDeviceAuthorization(userCode: $userCode) { ${view} } }`,
    { userCode },
    token,
  );
