import { expect, test } from "vitest";
import type { Licence } from "#api/licensing/licences/licence.entity.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const owner = await createUser(app);
const token = await signInAs(app, owner);

const buildRequestFile = (licence: Pick<Licence, "licenceCode">, changes: Record<string, unknown> = {}) =>
  buildRequest(app, licence.licenceCode, changes);
const send = (requestFile: unknown) => app.rest("POST", "/v1/licence/offline", { body: { requestFile }, token });

const damaged = "This is not a request file, or it is damaged. Please save it again in the add-in.";
const missing = "Please choose or paste the request file.";
const tooLarge = "The request file is larger than 50 kB. Please choose the file that the add-in saved.";
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64");

test("rejects other files with specific messages", async () => {
  for (const [name, requestFile, message] of [
    ["a missing file", undefined, missing],
    ["a blank file", " \r\n ", missing],
    ["an object", {}, "Must be text."],
    ["invalid JSON", "{licenceCode: 1}", damaged],
    ["a truncated file", '{"licenceCode": "AB', damaged],
    ["a list", base64([]), damaged],
    ["a number", "17", damaged],
    ["binary data", Buffer.from([1, 2, 0xff, 0xc0]).toString("base64"), damaged],
    ["deeply nested JSON", "[".repeat(49_000), damaged],
    ["too many characters", "A".repeat(50_001), tooLarge],
    ["too many bytes", "ü".repeat(25_001), tooLarge],
    [
      "a licence file",
      "-----BEGIN LICENCE FILE-----\nx\n-----END LICENCE FILE-----",
      "This is a licence file. Please choose the request file that the add-in saved.",
    ],
  ] as const) {
    const { status, json } = await send(requestFile);
    expect([status, json], name).toEqual([400, { requestFile: [message] }]);
  }
});

test("names each missing or invalid field", async () => {
  const licence = await createLicence(app, owner);
  const { nonce: _, ...fields } = buildRequestFile(licence, {
    machine: { ...buildMachine(), fingerprint: "short", isVm: "no" },
  });
  const { status, json } = await send(base64(fields));
  expect(status).toBe(400);
  expect(json.requestFile.toSorted()).toEqual([
    "In the request file, machine.fingerprint: Fingerprint is too short.",
    "In the request file, machine.isVm: Must be true or false.",
    "In the request file, nonce: Nonce is required.",
  ]);
});

test("reports a mistyped licence code", async () => {
  const { licenceCode } = await createLicence(app, owner);
  const mistyped = licenceCode.slice(0, -1) + (licenceCode.endsWith("7") ? "8" : "7");
  const { json } = await send(JSON.stringify(buildRequestFile({ licenceCode: mistyped })));
  const message = "In the request file, licenceCode: This is not a licence code. Please check it for typing mistakes.";
  expect(json).toEqual({ requestFile: [message] });
});

test("handles hostile values without an internal error", async () => {
  const fields = buildRequestFile(await createLicence(app, owner));
  for (const hostile of [
    { ...fields, machine: { ...fields.machine, machineName: "a\u0000b" } },
    { ...fields, machine: { ...fields.machine, components: { a: "\ud800" } } },
    { ...fields, machine: [fields.machine] },
    { ...fields, clientTimeUtc: "2025-02-31T99:00:00Z" },
    { ...fields, toString: "x", constructor: null },
  ])
    expect([200, 400]).toContain((await send(JSON.stringify(hostile))).status);
  const polluted = JSON.stringify(fields).replace("{", '{"__proto__": {"isAdmin": true},');
  expect((await send(polluted)).status).toBe(200);
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
});
