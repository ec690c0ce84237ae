import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { clickOnceBuild } from "#tests/factories/click-once.ts";
import { filesOf, uploadGraphql } from "#tests/factories/software-upload.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));
const customer = await signInAs(app, await createUser(app));

const buildOf = (id: string, token = admin) =>
  app.graphql(
    "query ($id: ID!) { softwareBuild(id: $id) { id version manifestUrl files { path url } } }",
    { id },
    token,
  );
const publish = (buildId: string) =>
  app.graphql("mutation ($id: ID!) { publishSoftware(buildId: $id) { id } }", { id: buildId }, admin);
const upload = async (version: string, isInstallerAlone = false) => {
  const { installationFile, ...others } = filesOf(await clickOnceBuild(version));
  const files = { ...(installationFile && { installationFile }), ...(isInstallerAlone ? {} : others) };
  const { json } = await uploadGraphql(app, admin, { softwareStage: 2 }, files);
  return (json as { data: { uploadSoftware: { id: string } } }).data.uploadSoftware.id;
};

test("a build is found by its id, and says where its .vsto is as soon as that can be had", async () => {
  const id = await upload("1.1.0");
  expect((await buildOf(id)).data.softwareBuild).toMatchObject({ id, version: "1.1.0", manifestUrl: null });
  await publish(id);
  const { manifestUrl, files } = (await buildOf(id)).data.softwareBuild as {
    manifestUrl: string;
    files: { path: string; url: string }[];
  };
  expect(new URL(manifestUrl).pathname).toBe("/software/alpha/1.1.0/XERBridge.vsto");
  expect(files[0]).toEqual({ path: "XERBridge.vsto", url: manifestUrl });
  expect((await app.rest("GET", new URL(manifestUrl).pathname)).status).toBe(200);
});

test("an installer alone has no .vsto", async () => {
  const id = await upload("1.2.0", true);
  await publish(id);
  expect((await buildOf(id)).data.softwareBuild).toMatchObject({ manifestUrl: null, files: [] });
});

test("what is no build is not found, and customers may not ask", async () => {
  for (const id of [randomUUID(), "x", "\0"])
    expect((await buildOf(id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  expect((await buildOf(randomUUID(), customer)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
});
