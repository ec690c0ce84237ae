import { beforeAll, expect, test } from "vitest";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { uploadGraphql, uploadMultipart } from "#tests/factories/software-upload.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ twoPersonRelease: true });
let uploader = "";
let second = "";
let third = "";

beforeAll(async () => {
  [uploader, second, third] = (await Promise.all([1, 2, 3].map(async () => signInAs(app, await createAdmin(app))))) as [
    string,
    string,
    string,
  ];
});

let minor = 0;
const getFiles = () => ({
  installationFile: { name: `Setup-8.${++minor}.0.exe`, content: Buffer.from("MZ and more") },
});
const upload = async (): Promise<string> =>
  (await uploadGraphql(app, uploader, { softwareStage: 4 }, getFiles())).json.data.uploadSoftware.id;
const run = (mutation: string, id: string, token: string) =>
  app.graphql(
    `mutation ($id: ID!) { ${mutation}(buildId: $id) { state publishingStep publishingRequestedBy publishingRequestedAt } }`,
    { id },
    token,
  );
const getCode = async (answer: ReturnType<typeof run>) => (await answer).errors?.[0]?.extensions.code ?? "done";
const getStep = async (id: string, token: string) =>
  (await app.graphql("query ($id: ID!) { softwareBuild(id: $id) { publishingStep } }", { id }, token)).data
    .softwareBuild.publishingStep;

test("lets the uploader request publishing, and only another admin publish", async () => {
  const id = await upload();
  expect([await getStep(id, uploader), await getStep(id, second)]).toEqual(["REQUEST", "PUBLISH"]);
  expect(await getCode(run("publishSoftware", id, uploader))).toBe("FORBIDDEN");
  const requested = (await run("requestSoftwarePublishing", id, uploader)).data.requestSoftwarePublishing;
  expect(requested).toMatchObject({ state: "UPLOADED", publishingStep: "WAIT", publishingRequestedBy: "Ada Byron" });
  expect(await getCode(run("requestSoftwarePublishing", id, uploader))).toBe("done");
  expect(await getCode(run("publishSoftware", id, uploader))).toBe("FORBIDDEN");
  expect(await getCode(run("requestSoftwarePublishing", id, second))).toBe("UNPROCESSABLE");
  expect((await run("publishSoftware", id, second)).data.publishSoftware).toMatchObject({
    state: "OFFERED",
    publishingRequestedBy: null,
  });
  const { rows } = await app.services.pool.query(
    "select action from audit_entries where subject_id = $1 order by at, id",
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual(["upload-software", "request-publishing", "publish-software"]);
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
  const { data } = await app.graphql("{ softwareBuilds(first: 1) { rows { state publishingStep } } }", {}, uploader);
  expect(data.softwareBuilds.rows).toEqual([{ state: "UPLOADED", publishingStep: "WAIT" }]);
});
