import { describe, expect, test } from "vitest";
import { createConcurrentLicence, createDevice, createLicence } from "#tests/factories/licence.ts";
import { buildMachine, buildRequest } from "#tests/factories/addin.ts";
import { createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const owner = await createUser(app);
const token = await signInAs(app, owner);
const mutation = `mutation ($input: ActivateOfflineInput!) {
  activateOffline(input: $input) {
    resultCode code message licenceId licenceFile goodUntil device { id machineName offlineUntil }
  }
}`;
const activate = (requestFile: string) => app.graphql(mutation, { input: { requestFile } }, token);

describe("activating offline over GraphQL", () => {
  test("returns the licence file, its expiry and the locked device", async () => {
    const licence = await createLicence(app, owner);
    const request = buildRequest(app, licence.licenceCode, { machine: buildMachine({ machineName: "SITE-07|corp" }) });
    const { data } = await activate(JSON.stringify(request));
    const { goodUntil } = data.activateOffline;
    expect(data.activateOffline).toMatchObject({
      resultCode: 1,
      code: "VALID",
      message: "The device was activated. Now carry the licence file to it.",
      licenceFile: expect.stringContaining("BEGIN LICENCE FILE"),
      device: { machineName: "SITE-07|corp", offlineUntil: goodUntil },
    });
  });

  test("returns a refusal as data without a file", async () => {
    const licence = await createLicence(app, owner);
    await createDevice(app, licence);
    const { data, errors } = await activate(JSON.stringify(buildRequest(app, licence.licenceCode)));
    expect(errors).toBeUndefined();
    expect(data.activateOffline).toEqual({
      resultCode: 22,
      code: "MACHINE_LIMIT_EXCEEDED",
      message: "The licence is already in use on as many devices as it allows. Please free one first.",
      licenceId: licence.id,
      licenceFile: null,
      goodUntil: null,
      device: null,
    });
    const shared = await createConcurrentLicence(app, owner);
    const concurrent = await activate(JSON.stringify(buildRequest(app, shared.licenceCode)));
    expect(concurrent.data.activateOffline).toMatchObject({ resultCode: 2, code: "FAILED" });
  });

  test("reports an invalid file under its field and another account's licence as not found", async () => {
    const { errors } = await activate("nothing");
    expect(errors?.[0]?.extensions).toEqual({
      code: "BAD_USER_INPUT",
      fields: { requestFile: ["This is not a request file, or it is damaged. Please save it again in the add-in."] },
    });
    const foreign = await createLicence(app, await createUser(app));
    const answer = await activate(JSON.stringify(buildRequest(app, foreign.licenceCode)));
    expect(answer.errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });
});
