import { expect, test } from "vitest";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);

test("counts 50 concurrent wrong codes as five and then rejects the right one, across two processes", async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const me = buildMachine();
    const toRequest = (more: object = {}) => ({ ...buildRequest(app, licence.licenceCode, { machine: me }), ...more });
    await call("POST", "/v1/licence/move/code", toRequest());
    const [email] = await listEmailsTo(app, owner.email);
    const code = /\b(\d{3} \d{3})\b/.exec(email?.text ?? "")?.[1] ?? "";
    const wrong = code.startsWith("0") ? "111111" : "000000";
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call("POST", "/v1/licence/move/devices", toRequest({ emailCode: wrong }))),
    );
    expect(answers.filter(({ status }) => status !== 400)).toEqual([]);
    const stored = await app.services.orm.em.fork().findOneOrFail(MoveCode, { licence: licence.id });
    expect(stored.attempts).toBe(5);
    expect((await call("POST", "/v1/licence/move/devices", toRequest({ emailCode: code }))).status).toBe(400);
  }
}, 60_000);

test("leaves one valid code after concurrent requests from one machine", async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const me = buildMachine();
  const toRequest = (more: object = {}) => ({ ...buildRequest(app, licence.licenceCode, { machine: me }), ...more });
  await Promise.all(Array.from({ length: 10 }, () => call("POST", "/v1/licence/move/code", toRequest())));
  const emails = await listEmailsTo(app, owner.email);
  const codes = emails.map(({ text }) => /\b(\d{3} \d{3})\b/.exec(text)?.[1] ?? "");
  // Each code is tried with the attempts reset, so that five wrong ones don't block the right one.
  const right: string[] = [];
  for (const emailCode of codes) {
    await app.services.pool.query("update move_codes set attempts = 0");
    const { status } = await call("POST", "/v1/licence/move/devices", toRequest({ emailCode }));
    if (status === 200) right.push(emailCode);
  }
  expect(codes).toHaveLength(10);
  expect(new Set(right).size).toBe(1);
  expect(await app.services.orm.em.fork().count(MoveCode, { licence: licence.id })).toBe(1);
});
