import { afterAll, expect, test } from "vitest";
import { createApp } from "#api/app.ts";
import { LONGEST_PROOF_LIFE_MS } from "#api/licensing/licences/licence-proof.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { addKey, type KeySet, promoteKey, pruneKeys } from "#api/platform/keys/key-rotation.ts";
import { generateSigningJwk } from "#api/platform/keys/signing-keys.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createLicence } from "#tests/factories/licence.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { extractJws, readProof } from "#tests/support/proof.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const first: KeySet = { keys: [generateSigningJwk()] };
const app = await startTestApp({ signingKeys: JSON.stringify(first) });
const user = await createUser(app);

/** Starts a process with the given keys on the same database, and returns a function that sends requests to it. */
async function startProcess(set: KeySet) {
  const other = await createApp(await openSecondProcess(app, { signingKeys: JSON.stringify(set) }));
  const url = await other.listen({ port: 0, host: "127.0.0.1" });
  afterAll(() => other.close());
  return async (path: string, body?: unknown, token?: string) => {
    const response = await fetch(url + path, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
    });
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read responses of every shape
    return { status: response.status, json: (await response.json()) as any };
  };
}

test("two key rotations with several running processes keep proofs, licence files, sessions and machine tokens valid until the key is pruned", async () => {
  const licence = await createLicence(app, user, { numberOfMachines: 3 });
  const me = buildMachine();
  const createBody = () => buildRequest(app, licence.licenceCode, { machine: me });
  const token = await signInAs(app, user);
  const { json: activated } = await app.rest("POST", "/v1/licence/activate", { body: createBody() });
  const { machineToken } = activated.data;
  const requestFile = JSON.stringify(buildRequest(app, licence.licenceCode));
  const { json: file } = await app.rest("POST", "/v1/licence/offline", { body: { requestFile }, token });
  const signedBefore = [activated.proof, extractJws(file)];

  // The new key is published first. Both processes sign with the old key, and the second one knows the new key.
  const added = addKey(first);
  const second = await startProcess(added);
  expect((await second("/v1/licence/signing-keys")).json.keys).toHaveLength(2);

  const promoted = promoteKey(added, app.clock.now());
  const third = await startProcess(promoted);
  const { json: jwks } = await third("/v1/licence/signing-keys");
  const validated = await third("/v1/licence/validate", { ...createBody(), machineToken });
  expect(validated.json.data.valid).toBe(true);
  expect(readProof(validated.json.proof, jwks)?.header.kid).toBe(promoted.keys[0]?.kid);
  for (const jws of signedBefore) expect(readProof(jws, jwks)?.header.kid).toBe(first.keys[0]?.kid);
  // The process that was last restarted after `add` verifies signatures made with the new key.
  const { json: published } = await second("/v1/licence/signing-keys");
  expect(readProof(validated.json.proof, published)).not.toBeNull();

  // Existing sessions and tokens work in the process that signs with the new key.
  expect((await third(`/v1/licence/${user.id}`, undefined, token)).status).toBe(200);
  expect((await third("/v1/licence/activate", createBody())).json.data.machineToken).toBe(machineToken);

  // The second rotation, after which the first key is removed.
  const twice = promoteKey(addKey(promoted), addMilliseconds(app.clock.now(), DAY));
  const fourth = await startProcess(twice);
  expect((await fourth("/v1/licence/activate", createBody())).json.data.machineToken).toBe(machineToken);
  const keep = LONGEST_PROOF_LIFE_MS + DAY;
  const pruned = pruneKeys(twice, addMilliseconds(app.clock.now(), keep), keep);
  expect(pruned.keys.map((key) => key.kid)).toEqual([twice.keys[0]?.kid, twice.keys[1]?.kid]);
  const fifth = await startProcess(pruned);
  const { json: left } = await fifth("/v1/licence/signing-keys");
  for (const jws of signedBefore) expect(readProof(jws, left)).toBeNull();
  expect(readProof(validated.json.proof, left)).not.toBeNull();
  // The machine token outlives its key, because only its hash is compared.
  expect((await fifth("/v1/licence/validate", { ...createBody(), machineToken })).json.data.valid).toBe(true);
  expect((await fifth(`/v1/licence/${user.id}`, undefined, token)).status).toBe(401);
}, 60_000);
