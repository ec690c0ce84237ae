import { expect, test } from "vitest";
import { createClickOnceBuild } from "#tests/factories/click-once.ts";
import { getUploadedFiles, uploadGraphql } from "#tests/factories/software-upload.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const admin = await signInAs(app, await createAdmin(app));

const findBuild = (id: string, token = admin) =>
  app.graphql(
    "query ($id: ID!) { softwareBuild(id: $id) { id version manifestUrl files { path url } } }",
    { id },
    token,
  );
const publish = (buildId: string) =>
  app.graphql("mutation ($id: ID!) { publishSoftware(buildId: $id) { id } }", { id: buildId }, admin);
const upload = async (version: string, hasOnlyInstaller = false) => {
  const { installationFile, ...others } = getUploadedFiles(await createClickOnceBuild(version));
  const files = { ...(installationFile && { installationFile }), ...(hasOnlyInstaller ? {} : others) };
  const { json } = await uploadGraphql(app, admin, { softwareStage: 2 }, files);
  return (json as { data: { uploadSoftware: { id: string } } }).data.uploadSoftware.id;
};

test("returns a build by its id, with the URL of its .vsto once it is published", async () => {
  const id = await upload("1.1.0");
  expect((await findBuild(id)).data.softwareBuild).toMatchObject({ id, version: "1.1.0", manifestUrl: null });
  await publish(id);
  const { manifestUrl, files } = (await findBuild(id)).data.softwareBuild as {
    manifestUrl: string;
    files: { path: string; url: string }[];
  };
  expect(new URL(manifestUrl).pathname).toBe("/software/alpha/1.1.0/Planvarro.vsto");
  expect(files[0]).toEqual({ path: "Planvarro.vsto", url: manifestUrl });
  expect((await app.rest("GET", new URL(manifestUrl).pathname)).status).toBe(200);
});

test("returns no .vsto for a build with only an installer", async () => {
  const id = await upload("1.2.0", true);
  await publish(id);
  expect((await findBuild(id)).data.softwareBuild).toMatchObject({ manifestUrl: null, files: [] });
});
