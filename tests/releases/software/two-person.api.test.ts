import { expect, test } from "vitest";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { uploadGraphql, uploadMultipart } from "#tests/factories/software-upload.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ twoPersonRelease: true });
const signInAdmin = async () => signInAs(app, await createAdmin(app));
const [uploader, second, third] = [await signInAdmin(), await signInAdmin(), await signInAdmin()];

let minor = 0;
const getFiles = () => ({
  installationFile: { name: `Setup-8.${++minor}.0.exe`, content: Buffer.from("MZ and more") },
});
const upload = async (): Promise<string> =>
  (await uploadGraphql(app, uploader, { softwareStage: 4 }, getFiles())).json.data.uploadSoftware.id;
const run = (mutation: string, buildId: string, token: string) =>
  app.call(`${mutation} { state publishingStep publishingRequestedBy publishingRequestedAt }`, { buildId }, token);
const getCode = (answer: ReturnType<typeof run>) =>
  answer.then(
    () => "done",
    ({ code }) => code,
  );
const getStep = async (id: string, token: string) =>
  (await app.call("softwareBuild { publishingStep }", { id }, token)).publishingStep;

test("lets the uploader request publishing, and only another admin publish", async () => {
  const id = await upload();
  expect([await getStep(id, uploader), await getStep(id, second)]).toEqual(["REQUEST", "PUBLISH"]);
  expect(await getCode(run("publishSoftware", id, uploader))).toBe("FORBIDDEN");
  const requested = await run("requestSoftwarePublishing", id, uploader);
  expect(requested).toMatchObject({ state: "UPLOADED", publishingStep: "WAIT", publishingRequestedBy: "Ada Byron" });
  expect(await getCode(run("requestSoftwarePublishing", id, uploader))).toBe("done");
  expect(await getCode(run("publishSoftware", id, uploader))).toBe("FORBIDDEN");
  expect(await getCode(run("requestSoftwarePublishing", id, second))).toBe("UNPROCESSABLE");
  const published = await run("publishSoftware", id, second);
  expect(published).toMatchObject({ state: "OFFERED", publishingRequestedBy: null });
  const actions = (await listAuditEntries(app, id)).map(({ action }) => action);
  expect(actions).toEqual(["upload-software", "request-publishing", "publish-software"]);
});

test("needs two admins also for a build whose uploader is unknown", async () => {
  const id = await upload();
  await app.services.pool.query("update software_builds set uploaded_by_id = null where id = $1", [id]);
  expect(await getCode(run("publishSoftware", id, second))).toBe("FORBIDDEN");
  expect(await getCode(run("requestSoftwarePublishing", id, second))).toBe("done");
  expect(await getCode(run("publishSoftware", id, second))).toBe("FORBIDDEN");
  expect(await getCode(run("publishSoftware", id, third))).toBe("done");
});

test("turns an upload with `publish` into a request", async () => {
  const { json } = await uploadMultipart(app, uploader, { softwareStage: "4", publish: "true" }, getFiles());
  expect(json).toMatch(/has been uploaded to Production\. Another admin must publish it\.$/);
  const { rows } = await app.call("softwareBuilds { rows { state publishingStep } }", { first: 1 }, uploader);
  expect(rows).toEqual([{ state: "UPLOADED", publishingStep: "WAIT" }]);
});
