import { expect, test } from "vitest";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { sendRaw } from "#tests/app/http/hostile-stage.ts";
import { type HostileRequest, hostileRequests, createQuery } from "./hostile-documents.ts";

const app = await startTestApp();

const customer = await signInAs(app, await createUser(app));
const admin = await signInAs(app, await createAdmin(app));

const sendAttack = ({ body, method = "POST", search = "", headers = {} }: HostileRequest, token: string) =>
  sendRaw(
    app.url,
    method,
    {
      name: "",
      path: `/graphql${search}`,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    },
    token,
  );

/** Text that reveals implementation details or schema elements that were not requested. */
const leak =
  /\bat .+\.[cm]?[jt]s:\d+|node_modules|\/(tmp|work|home|usr)\/|\bselect .+ from\b|syntax error at or near|Did you mean (the |an |")|passwordHash"?\s*:/i;
const refusals = ["BAD_USER_INPUT", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"];

function findFault({ status, text }: { status: number; text: string }): string | null {
  if (status < 400 || status >= 500) return "it isn't rejected";
  if (leak.test(text)) return "it leaks";
  // The response to a rejected document must neither repeat the document nor list a thousand errors.
  if (text.length >= 20_000) return "it is too long";
  const { errors, data, body, Message } = JSON.parse(text) as {
    errors?: { extensions: { code: string } }[];
    data?: unknown;
    body?: unknown;
    Message?: string;
  };
  if (!errors) return Message || body ? null : "it has no message";
  if (data) return "it has data";
  return errors.every(({ extensions }) => refusals.includes(extensions.code)) ? null : "an unexpected code";
}

test.each(Object.entries(hostileRequests))("rejects %s before they run and reveals nothing", async (_, documents) => {
  const faults: string[] = [];
  for (const [name, document] of Object.entries(documents)) {
    const answer = await sendAttack(document, admin);
    const fault = findFault(answer);
    if (fault) faults.push(`${name}: ${fault} (${answer.status} ${answer.text.slice(0, 300)})`);
  }
  expect(faults).toEqual([]);
});

test("still responds, and rejects a visitor's invalid document before it reports the missing sign-in", async () => {
  for (const token of [customer, admin])
    expect((await app.graphql("{ me { id } }", {}, token)).data.me.id).toBeTruthy();
  const { status, text } = await sendAttack(createQuery("{ users(filter: {}) { rows { passwordHash } } }"), "none");
  expect(status).toBe(400);
  expect(text).not.toMatch(leak);
});
