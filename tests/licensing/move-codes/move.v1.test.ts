import { describe, expect, test } from "vitest";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { newLicenceCode } from "#api/licensing/licences/licence-code.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { purgeOf } from "#tests/support/purge-of.ts";
import { DAY, MINUTE } from "#api/platform/clock.ts";
import { ask, machine } from "#tests/factories/addin.ts";
import {
  blockMachine,
  createDevice,
  createExpiredLicence,
  createLicence,
  createRevokedLicence,
  createSuspendedLicence,
} from "#tests/factories/licence.ts";
import { createUser } from "#tests/factories/user.ts";
import { mailsTo } from "#tests/support/mailbox.ts";
import { readProof } from "#tests/support/proof.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const em = () => app.services.orm.em.fork();
const wrongCode = { emailCode: ["This code is not right, or it has lapsed. Please check it or ask for a new one."] };

async function codeMailedTo(email: string): Promise<string> {
  const [newest] = await mailsTo(app, email);
  return /\b(\d{3} \d{3})\b/.exec(newest?.text ?? "")?.[1] ?? "none";
}

/** A full licence, and a machine that found no place on it and had a code mailed. */
async function asked(changes: Parameters<typeof createLicence>[2] = {}) {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner, changes);
  const old = await createDevice(app, licence, { machineName: "OLD-PC|planning.local" });
  const me = machine({ machineName: "NEW-PC|planning.local" });
  const sent = await ask(app, "move/code", licence, { machine: me });
  const code = await codeMailedTo(owner.email);
  const list = (emailCode: string, by = me) => ask(app, "move/devices", licence, { machine: by, emailCode });
  return { owner, licence, old, me, sent, code, list };
}

const wrongOf = (code: string) => (code.startsWith("0") ? "111 111" : "000 000");

describe("a machine that found no place", () => {
  test("has a code mailed to the owner, is shown the devices for it, and takes the place of one", async () => {
    const { owner, licence, old, me, sent, code, list } = await asked();
    expect((await ask(app, "activate", licence, { machine: me })).json.data.resultCode).toBe(22);
    expect(sent.status).toBe(200);
    expect(sent.json.data).toMatchObject({ valid: true, resultCode: 1, code: "VALID" });
    expect(sent.json.data.message).toMatch(/^We have sent a code to p•••@e•••\.com\. It is good for 10 minutes\.$/);
    for (const member of ["licence", "machine", "graceUntilUtc", "validateAfterUtc", "machines"])
      expect(sent.json.data).not.toHaveProperty(member);
    expect(sent.text).not.toContain(owner.email);
    expect(sent.text).not.toContain(code.replace(" ", ""));

    const [mail] = await mailsTo(app, owner.email);
    for (const told of ["NEW-PC", "PLANNING\\ada", "127.0.0.1", "AEST", "10 minutes", "If this was not you"])
      expect(mail?.text).toContain(told);
    expect(mail?.subject).not.toMatch(/\d/);

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

    const swapped = await ask(app, "activate", licence, { machine: me, replaceMachineId: json.data.machines[0].id });
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

  test("may send the code with any spaces, and again after a lost answer", async () => {
    const { code, list } = await asked();
    for (const typed of [code, code.replace(" ", ""), ` ${code.replace(" ", "-")} `])
      expect((await list(typed)).status).toBe(200);
  });

  test("is shown nothing after five wrong codes, not for the right one either", async () => {
    const { licence, code, list } = await asked();
    for (let n = 0; n < 5; n++) expect((await list(wrongOf(code))).json).toEqual(wrongCode);
    const refused = await list(code);
    expect(refused.status).toBe(400);
    expect(refused.json).toEqual(wrongCode);
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "move", resultCode: 2 })).toBe(6);
  });

  test("is shown nothing for another machine's code, another licence's, or none", async () => {
    const { owner, code, list, me } = await asked();
    expect((await list(code, machine())).json).toEqual(wrongCode);
    const second = await createLicence(app, owner);
    expect((await ask(app, "move/devices", second, { machine: me, emailCode: code })).json).toEqual(wrongCode);
    const { status, json } = await ask(app, "move/devices", second, { machine: me });
    expect([status, json]).toEqual([400, { emailCode: ["Please enter the code from the email."] }]);
    expect((await list(code)).status).toBe(200);
  });

  test("is shown nothing after ten minutes, nor for a code that a newer one ended", async () => {
    const { owner, licence, me, code, list } = await asked();
    app.clock.setOffset(10 * MINUTE);
    expect((await list(code)).json).toEqual(wrongCode);
    await ask(app, "move/code", licence, { machine: me });
    const newer = await codeMailedTo(owner.email);
    if (newer !== code) expect((await list(code)).json).toEqual(wrongCode);
    expect((await list(newer)).status).toBe(200);
    app.clock.setOffset(0);
  });
});

describe("the licence's standing comes first", () => {
  test.each([
    ["revoked", createRevokedLicence, 12],
    ["suspended", createSuspendedLicence, 13],
    ["expired", createExpiredLicence, 14],
  ] as const)("a %s licence mails nobody", async (_what, create, code) => {
    const owner = await createUser(app);
    const licence = await create(app, owner);
    for (const call of ["move/code", "move/devices"]) {
      const { status, json } = await ask(app, call, licence, { emailCode: "123456" });
      expect(status).toBe(200);
      expect(json.data).toMatchObject({ valid: false, resultCode: code });
      expect(json.data).not.toHaveProperty("licence");
    }
    expect(await mailsTo(app, owner.email)).toEqual([]);
    expect(await em().count(LicenceEvent, { licenceId: licence.id, kind: "move", resultCode: code })).toBe(2);
  });

  test("nor does an archived account's, a blocked machine, or a virtual one where that is not allowed", async () => {
    const archived = await createUser(app, { archivedAt: app.clock.now() });
    const codeOf = async (licence: Parameters<typeof ask>[2], me = machine()) =>
      (await ask(app, "move/code", licence, { machine: me })).json.data.resultCode;
    expect(await codeOf(await createLicence(app, archived))).toBe(11);
    const owner = await createUser(app);
    await blockMachine(app, owner, "STOLEN");
    const licence = await createLicence(app, owner);
    expect(await codeOf(licence, machine({ machineName: "stolen|x" }))).toBe(20);
    expect(await codeOf(licence, machine({ isVm: true }))).toBe(24);
    expect(await mailsTo(app, owner.email)).toEqual([]);
    expect(await codeOf(licence)).toBe(1);
  });

  test("an unknown licence code is 10, a mistyped one a field", async () => {
    for (const call of ["move/code", "move/devices"]) {
      const more = { emailCode: "123456" };
      expect((await ask(app, call, { licenceCode: newLicenceCode() }, more)).json.data.resultCode).toBe(10);
      const { status, json } = await ask(app, call, { licenceCode: "AAAAA" }, more);
      expect([status, Object.keys(json)]).toEqual([400, ["licenceCode"]]);
    }
  });
});

test("codes are not stored, and are swept a day after they lapsed", async () => {
  const { code } = await asked();
  const rows = JSON.stringify(await em().find(MoveCode, {}));
  expect(rows).not.toContain(code.replace(" ", ""));
  app.clock.setOffset(2 * DAY);
  await purgeOf("move-codes").run(app.context());
  expect(await em().count(MoveCode)).toBe(0);
  app.clock.setOffset(0);
});
