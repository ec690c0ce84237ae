import { randomUUID } from "node:crypto";
import { expect, test, afterEach } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { generateLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { findPurge } from "#tests/support/find-purge.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { callAddin, buildMachine, toMachine } from "#tests/factories/addin.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import { readProof } from "#tests/support/proof.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { refusals } from "#tests/licensing/leases/refusals.ts";

const app = await startTestApp();
afterEach(() => app.clock.setOffset(0));
const em = () => app.services.orm.em.fork();
const wrongCode = { emailCode: ["This code is not right, or it has lapsed. Please check it or ask for a new one."] };

async function findEmailedCode(email: string): Promise<string> {
  const [newest] = await listEmailsTo(app, email);
  return /\b(\d{3} \d{3})\b/.exec(newest?.text ?? "")?.[1] ?? "none";
}

/** Creates a full licence and requests a move code for another machine. */
async function requestMoveCode(changes: Parameters<typeof createLicence>[2] = {}) {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner, changes);
  const old = await createDevice(app, licence, { machineName: "OLD-PC|planning.local" });
  const me = buildMachine({ machineName: "NEW-PC|planning.local", fingerprint: randomUUID() });
  const sent = await callAddin(app, "move/code", licence, { machine: me });
  const code = await findEmailedCode(owner.email);
  const list = (emailCode: string, by = me) => callAddin(app, "move/devices", licence, { machine: by, emailCode });
  return { owner, licence, old, me, sent, code, list };
}

test("emails a code to the owner, lists the devices to anyone with the code, and replaces one of them", async () => {
  const { owner, licence, old, me, sent, code, list } = await requestMoveCode();
  expect((await callAddin(app, "activate", licence, { machine: me })).json.data.resultCode).toBe(22);
  expect(sent.status).toBe(200);
  expect(sent.json.data).toMatchObject({ valid: true, resultCode: 1, code: "VALID" });
  expect(sent.json.data.message).toMatch(/^We have sent a code to p•••@e•••\.com\. It is good for 10 minutes\.$/);
  for (const member of ["licence", "machine", "graceUntilUtc", "validateAfterUtc", "machines"])
    expect(sent.json.data).not.toHaveProperty(member);
  expect(sent.text).not.toContain(owner.email);
  expect(sent.text).not.toContain(code.replace(" ", ""));

  const [email] = await listEmailsTo(app, owner.email);
  for (const text of ["NEW-PC", "PLANNING\\ada", "127.0.0.1", "AEST", "10 minutes", "If this wasn't you"])
    expect(email?.text).toContain(text);
  expect(email?.subject).not.toMatch(/\d/);

  const { status, json } = await list(code);
  expect(status).toBe(200);
  expect(json.data).toMatchObject({
    valid: true,
    machines: [
      {
        id: old.id,
        machineName: "OLD-PC",
        lastSeenUtc: old.lastSeenAt.toISOString(),
        activatedUtc: old.activatedAt.toISOString(),
      },
    ],
    deactivationsRemaining: 3,
  });
  expect(json.data).not.toHaveProperty("graceUntilUtc");
  const { json: jwks } = await app.rest("GET", "/v1/licence/signing-keys");
  expect(readProof(json.proof, jwks)?.payload).toMatchObject({ data: json.data, fingerprint: me.fingerprint });

  const swapped = await callAddin(app, "activate", licence, {
    machine: me,
    replaceMachineId: json.data.machines[0].id,
  });
  expect(swapped.json.data.resultCode).toBe(1);
  expect((await em().findOneOrFail(Device, old.id)).freedAt).not.toBeNull();
  const events = await em().find(LicenceEvent, { licenceId: licence.id }, { orderBy: { id: "asc" } });
  expect(events.map(({ kind, resultCode }) => [kind, resultCode])).toEqual([
    ["move", 1],
    ["activate", 22],
    ["move", 1],
    ["activate", 1],
  ]);
});

test("accepts a code with spaces or dashes more than once, but not after five wrong ones", async () => {
  const { licence, code, list, me } = await requestMoveCode();
  expect((await list(code, { ...me, fingerprint: me.fingerprint.toUpperCase() })).status).toBe(200);
  for (const typed of [code, code.replace(" ", ""), ` ${code.replace(" ", "-")} `])
    expect((await list(typed)).status).toBe(200);
  for (let n = 0; n < 5; n++)
    expect((await list(code.startsWith("0") ? "111 111" : "000 000")).json).toEqual(wrongCode);
  const refused = await list(code);
  expect([refused.status, refused.json]).toEqual([400, wrongCode]);
  expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "move", resultCode: 2 })).toBe(6);
});

test("rejects a code for another machine or licence, and a missing code", async () => {
  const { owner, code, list, me } = await requestMoveCode();
  expect((await list(code, buildMachine())).json).toEqual(wrongCode);
  const second = await createLicence(app, owner);
  expect((await callAddin(app, "move/devices", second, { machine: me, emailCode: code })).json).toEqual(wrongCode);
  const { status, json } = await callAddin(app, "move/devices", second, { machine: me });
  expect([status, json]).toEqual([400, { emailCode: ["Please enter the code from the email."] }]);
  expect((await list(code)).status).toBe(200);
});

test("rejects an expired code and a code replaced by a newer one", async () => {
  const { owner, licence, me, code, list } = await requestMoveCode();
  app.clock.setOffset(10 * MINUTE);
  expect((await list(code)).json).toEqual(wrongCode);
  await callAddin(app, "move/code", licence, { machine: me });
  const newer = await findEmailedCode(owner.email);
  if (newer !== code) expect((await list(code)).json).toEqual(wrongCode);
  expect((await list(newer)).status).toBe(200);
});

test("sends no email in any state that refuses the device", async () => {
  for (const [state, code, turn, said = {}] of refusals.filter(([, code]) => ![21, 23, 41].includes(code))) {
    const owner = await createUser(app);
    const licence = await createLicence(app, owner);
    const device = await createDevice(app, licence);
    await turn({ app, owner, licence, device });
    for (const call of ["move/code", "move/devices"]) {
      const { status, json } = await callAddin(app, call, licence, {
        machine: toMachine(device, said),
        emailCode: "123456",
      });
      expect(status).toBe(200);
      expect(json.data, state).toMatchObject({ valid: false, resultCode: code });
      expect(json.data).not.toHaveProperty("licence");
    }
    expect(await listEmailsTo(app, owner.email)).toEqual([]);
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "move", resultCode: code })).toBe(2);
  }
});

test("sends no email to an address that was never confirmed, and says what to do", async () => {
  const owner = await createUser(app, { emailConfirmedAt: null });
  const { json } = await callAddin(app, "move/code", await createLicence(app, owner));
  const message: unknown = expect.stringContaining("confirm the email address");
  expect(json.data).toMatchObject({ valid: false, resultCode: 11, message });
  expect(await listEmailsTo(app, owner.email)).toEqual([]);
});

test("sends no email to a machine whose fingerprint identifies nothing, because it can't be activated", async () => {
  const { owner, licence } = await requestMoveCode();
  const machine = buildMachine({ fingerprint: "0000-0000" });
  const { status, json } = await callAddin(app, "move/code", licence, { machine });
  expect([status, Object.keys(json)]).toEqual([400, ["machine.fingerprint"]]);
  expect(await listEmailsTo(app, owner.email)).toHaveLength(1);
});

test("returns 10 for an unknown licence code and a field error for a mistyped one", async () => {
  for (const call of ["move/code", "move/devices"]) {
    const more = { emailCode: "123456" };
    expect((await callAddin(app, call, { licenceCode: generateLicenceCode() }, more)).json.data.resultCode).toBe(10);
    const { status, json } = await callAddin(app, call, { licenceCode: "AAAAA" }, more);
    expect([status, Object.keys(json)]).toEqual([400, ["licenceCode"]]);
  }
});

test("stores no codes and purges their rows a day after they expired", async () => {
  const { code } = await requestMoveCode();
  expect(JSON.stringify(await em().find(MoveCode, {}))).not.toContain(code.replace(" ", ""));
  app.clock.setOffset(2 * DAY);
  await findPurge("move-codes").run(app.context());
  expect(await em().count(MoveCode)).toBe(0);
});
