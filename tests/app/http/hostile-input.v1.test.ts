import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { getRouteContract } from "#api/dev/response-contract.ts";
import { routes } from "#api/v1/routes.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { buildHostileInputs } from "./hostile-inputs.ts";
import { calculateDigest, type HostileResponse, mapInPool, sendRaw, createStage } from "./hostile-stage.ts";

const app = await startTestApp();

/** Minimum number of hostile inputs per call, and maximum number of inputs for its fields. */
const FEWEST = 40;
const MOST_OF_FIELDS = 40;
const LONGEST_MS = 1_000;
const AT_A_TIME = 6;

const leak =
  /\bat \S+ ?\(?\S+\.(ts|js|mjs):\d+|node_modules|\/(tmp|home|work|usr)\/|\bselect .+ from\b|syntax error|violates|relation "|\$argon2|mikro|knex|ECONN/i;

// No request refers to this user, so no request below may change or return their data.
const bystander = await createUser(app, { email: "bystander@elsewhere.example.com", lastName: "Somerset-Bystander" });
const theirs = await createLicence(app, bystander);
await createDevice(app, theirs);
await createContact(app, bystander);
await signInAs(app, bystander);
const before = await calculateDigest(app, [bystander.id], true);
let sent = 0;
let slowest = 0;

beforeAll(() => expect(before).not.toBe(""));
afterAll(async () => {
  expect(await calculateDigest(app, [bystander.id], true)).toBe(before);
  if (process.env.HOSTILE_FIGURES)
    process.stdout.write(`${sent} hostile inputs, the slowest ${Math.round(slowest)} ms\n`);
});

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

/** Returns what is wrong with a response, or null. */
function findFault(
  method: string,
  url: string,
  isFile: boolean,
  isAdmins: boolean,
  { input, status, type, text }: HostileResponse,
): string | null {
  if (status >= 500 || status < 200) return "an invalid status";
  if (status === 204 || status === 304) return text === "" ? null : "a body in a response without content";
  if (text.match(leak)) return `it leaks ${text.match(leak)?.[0]}`;
  if (!isAdmins && [bystander.email, theirs.licenceCode, theirs.id].some((secret) => text.includes(secret)))
    return "it shows data of another user";
  if (isFile && status < 300) return null;
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

describe.each(routes.map((route) => [`${route.method} ${route.url}`, route] as const))("%s", (_name, route) => {
  test("answers every hostile input within a second, in JSON, without leaks and without changes by rejected requests", async () => {
    const stage = await createStage(app, route);
    const { ruled, generic } = buildHostileInputs(route, stage.validCall, MOST_OF_FIELDS);
    const inputs = [...ruled, ...generic];
    expect(inputs.length).toBeGreaterThanOrEqual(FEWEST);
    const untouched = await calculateDigest(app, stage.userIds);

    const send = async (input: (typeof inputs)[number], again = 1): Promise<HostileResponse> => {
      const token = route.allow === "everyone" ? undefined : current;
      const answer = await sendRaw(app.url, route.method, input, token);
      if (answer.status === 401 && token && again > 0) {
        current = await stage.token();
        return send(input, again - 1);
      }
      return answer;
    };
    let current = await stage.token();
    const answers = await mapInPool(inputs, AT_A_TIME, (input) => send(input));
    // A slow response may be due to a busy machine, so the request is repeated alone.
    for (const [index, { input, ms }] of answers.entries()) if (ms > LONGEST_MS) answers[index] = await send(input);

    sent += answers.length;
    slowest = Math.max(slowest, ...answers.map(({ ms }) => ms));
    const faults = answers.flatMap((answer) => {
      const fault = findFault(route.method, route.url, route.fileTypes.length > 0, route.allow === "admin", answer);
      const problem = fault ?? (answer.ms > LONGEST_MS ? `it takes ${Math.round(answer.ms)} ms` : null);
      return problem ? [`${answer.input.name}: ${problem} (${answer.status} ${answer.text.slice(0, 160)})`] : [];
    });
    expect(faults).toEqual([]);
    if (answers.every(({ status }) => status >= 400)) expect(await calculateDigest(app, stage.userIds)).toBe(untouched);
    expect(await calculateDigest(app, [bystander.id], true)).toBe(before);
  }, 60_000);
});

test("returns 404 in JSON for an unknown path under /v1 with any method", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"]) {
    const answer = await app.rest(method, "/v1/nothing/here");
    expect(answer.status).toBe(404);
    expect(answer.json).toBe("Sorry, we could not find what you asked for.");
  }
  const unreadable = await app.rest("GET", "/v1/%zz");
  expect(unreadable.status).toBe(400);
  expect(unreadable.headers.get("x-content-type-options")).toBe("nosniff");
  expect(JSON.stringify(unreadable.json)).not.toContain("%zz");
});

test("sends security headers and a request id", async () => {
  const { headers } = await app.rest("GET", "/v1/licence/signing-keys");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(headers.get("access-control-allow-origin")).toBeNull();
});
