import { afterAll, expect, test } from "vitest";
import { permissions } from "#api/app/permissions.ts";
import { getPermission } from "#api/platform/graphql/permissions.ts";
import { getRouteContract } from "#api/dev/response-contract.ts";
import type { Route } from "#api/platform/http/define-route.ts";
import { routes } from "#api/v1/routes.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { buildHostileInputs, type HostileInput } from "./hostile-inputs.ts";
import { calculateDigest, createStage, type HostileResponse, mapInPool, sendRaw } from "./hostile-stage.ts";

const AT_A_TIME = 6;

const leak =
  /\bat \S+ ?\(?\S+\.(ts|js|mjs):\d+|node_modules|\/(tmp|home|work|usr)\/|\bselect .+ from\b|syntax error|violates|relation "|\$argon2|mikro|knex|ECONN/i;

/** Returns what is wrong with an error's body (docs/domain.md#errors), or null. */
function findErrorFault(status: number, json: unknown): string | null {
  const object =
    typeof json === "object" && json !== null && !Array.isArray(json) ? (json as Record<string, unknown>) : null;
  if (status === 404) return typeof json === "string" ? null : "a 404 is not a string";
  if (!object) return "an error is not an object";
  if (status === 400 && typeof object.error === "string") return null;
  if (status === 400)
    return Object.values(object).every((list) => Array.isArray(list) && list.every((one) => typeof one === "string"))
      ? null
      : "a 400 has no messages by field";
  return typeof object.Message === "string" && typeof object.requestId === "string" ? null : "no Message and requestId";
}

function findFault(
  { method, url, fileTypes, operation }: Route,
  { input, status, type, text }: HostileResponse,
  secrets: readonly string[],
): string | null {
  if (status >= 500 || status < 200) return "an invalid status";
  if (status === 204 || status === 304) return text === "" ? null : "a body in a response without content";
  if (text.match(leak)) return `it leaks ${text.match(leak)?.[0]}`;
  const { audience } = getPermission(permissions, operation);
  if (audience !== "admin" && secrets.some((secret) => text.includes(secret))) return "it shows data of another user";
  if (fileTypes.length > 0 && status < 300) return null;
  if (!type.startsWith("application/json")) return `it is ${type}`;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  if (status >= 400) return findErrorFault(status, json);
  // A changed path may lead to another endpoint.
  return input.path.split("?")[0] === url
    ? (getRouteContract().findResponseError(method, url, { status, type, text }) ?? null)
    : null;
}

const app = await startTestApp();
// No request refers to this user, so no request below may change or return their data.
const bystander = await createUser(app, { email: "bystander@elsewhere.example.com", lastName: "Somerset-Bystander" });
const licence = await createLicence(app, bystander);
await createDevice(app, licence);
await createContact(app, bystander);
await signInAs(app, bystander);
const secrets = [bystander.email, licence.licenceCode, licence.id];
const before = await calculateDigest(app, [bystander.id], true);
const expectUnchanged = async () => expect(await calculateDigest(app, [bystander.id], true)).toBe(before);
afterAll(expectUnchanged);

test.each(routes)("$method $url answers hostile input in JSON, without leaks or rejected changes", async (route) => {
  const stage = await createStage(app, route);
  const inputs = buildHostileInputs(route, stage.validCall);
  const untouched = await calculateDigest(app, stage.userIds);
  let token = await stage.token();
  const send = async (input: HostileInput, again = 1): Promise<HostileResponse> => {
    const answer = await sendRaw(app.url, route.method, input, token);
    if (answer.status !== 401 || !token || again === 0) return answer;
    token = await stage.token();
    return send(input, again - 1);
  };
  const answers = await mapInPool(inputs, AT_A_TIME, (input) => send(input));
  const faults = answers.flatMap((answer) => {
    const fault = findFault(route, answer, secrets);
    return fault ? [`${answer.input.name}: ${fault} (${answer.status} ${answer.text.slice(0, 160)})`] : [];
  });
  expect(faults).toEqual([]);
  if (answers.every(({ status }) => status >= 400)) expect(await calculateDigest(app, stage.userIds)).toBe(untouched);
  await expectUnchanged();
});
