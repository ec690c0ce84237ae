import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { type HostileRequest, hostileRequests, createQuery } from "./hostile-documents.ts";

const app = await startTestApp();
const customer = await signInAs(app, await createUser(app));
const admin = await signInAs(app, await createAdmin(app));

/**
 * Time limit for a rejection, in milliseconds.
 * Server and client share this process, so its processor time measures the cost of a document even on a busy machine. The
 * test compares the median processor time and the minimum elapsed time. It repeats a measurement above the limit up to
 * twice, because an expensive document exceeds the limit every time.
 */
const MOST_MS = 100;
const TRIES = 5;
const ROUNDS = 3;

interface Refusal {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
  readonly processorMs: number;
}

/** Sends a request to the server and measures the time from its first byte to the last byte of the response. */
function sendAttack(attack: HostileRequest, token: string): Promise<Refusal> {
  const { body, method = "POST", search = "", headers = {} } = attack;
  const startedAt = performance.now();
  const usedBefore = process.cpuUsage();
  const getTimes = () => {
    const { user, system } = process.cpuUsage(usedBefore);
    return { ms: performance.now() - startedAt, processorMs: (user + system) / 1_000 };
  };
  return new Promise((resolve, reject) => {
    const sent = request(
      `${app.url}/graphql${search}`,
      {
        method,
        headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
      },
      (answer) => {
        let text = "";
        answer.setEncoding("utf8");
        answer.on("data", (part: string) => (text += part));
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, ...getTimes() }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Text that reveals implementation details or schema elements that were not requested. */
const leak =
  /\bat .+\.[cm]?[jt]s:\d+|node_modules|\/(tmp|work|home|usr)\/|\bselect .+ from\b|syntax error at or near|Did you mean (the |an |")|passwordHash"?\s*:/i;

async function measureAttack(document: HostileRequest) {
  const tries: Refusal[] = [];
  for (let n = 0; n < TRIES; n++) tries.push(await sendAttack(document, admin));
  const used = tries.map(({ processorMs }) => processorMs).toSorted((one, other) => one - other);
  return {
    refusal: tries[0] as Refusal,
    ms: Math.min(...tries.map(({ ms }) => ms)),
    processorMs: used[Math.floor(TRIES / 2)] ?? Number.NaN,
  };
}

describe.each(Object.entries(hostileRequests))("%s", (_kind, documents) => {
  test.each(Object.entries(documents))("rejects %s quickly and reveals nothing", async (_name, document) => {
    let { refusal, ms, processorMs } = await measureAttack(document);
    for (let round = 1; round < ROUNDS && Math.max(ms, processorMs) >= MOST_MS; round++)
      ({ refusal, ms, processorMs } = await measureAttack(document));
    const { status, text } = refusal;
    expect(status, text.slice(0, 300)).toBeGreaterThanOrEqual(400);
    expect(status, text.slice(0, 300)).toBeLessThan(500);
    const answer = JSON.parse(text) as {
      errors?: { extensions: { code: string } }[];
      data?: unknown;
      body?: unknown;
      Message?: string;
    };
    if (answer.errors) {
      for (const { extensions } of answer.errors)
        expect(["BAD_USER_INPUT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]).toContain(extensions.code);
      expect(answer.data ?? null).toBeNull();
      // The response to a rejected document must neither repeat the document nor list a thousand errors.
    } else expect(answer.Message ?? answer.body).toBeTruthy();
    expect(text.length).toBeLessThan(20_000);
    expect(text).not.toMatch(leak);
    expect(Math.max(ms, processorMs)).toBeLessThan(MOST_MS);
  });
});

test("has tried at least 40 documents, and the server still responds", async () => {
  expect(Object.values(hostileRequests).flatMap((documents) => Object.keys(documents)).length).toBeGreaterThanOrEqual(
    40,
  );
  for (const token of [customer, admin])
    expect((await app.graphql("{ me { id } }", {}, token)).data.me.id).toBeTruthy();
});

test("rejects a visitor's invalid document before it reports the missing sign-in", async () => {
  const { status, text } = await sendAttack(createQuery("{ users(filter: {}) { rows { passwordHash } } }"), "none");
  expect(status).toBe(400);
  expect(text).not.toMatch(leak);
});
