import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { addBuild } from "#api/releases/software/add-build.ts";
import { publishTestBuild, listStoredKeys } from "#tests/factories/software.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { softwareStages } from "#schema/software.ts";
import { toCode } from "#schema/closed-list.ts";

const app = await startTestApp();
const staff = await createAdmin(app);
const admin = await signInAs(app, staff);

const buildFields = `id stage stageLabel version state fileName sizeBytes sha256 url createdAt uploadedBy publishedAt
  withdrawnAt files { path kind sizeBytes sha256 url } downloads { installer application }`;
const publish = (buildId: string) => app.call(`publishSoftware { ${buildFields} }`, { buildId }, admin);
const withdraw = (buildId: string) => app.call(`withdrawSoftware { ${buildFields} }`, { buildId }, admin);
const rollBack = (stage: number, offeredBuildId: string) => {
  const shown = { stage: toCode(softwareStages, stage), offeredBuildId };
  return app.call("rollBackSoftware { latestVersion offered { id version state } previous { version } }", shown, admin);
};
const deleteDraft = (buildId: string) => app.call("deleteSoftwareDraft { id }", { buildId }, admin);
const setMinimum = (version: string | null) =>
  app.call("setMinimumAddInVersion { stage }", { stage: "PRODUCTION", version }, admin);
const draft = (version: string, stage = 4) =>
  addBuild(
    { ...app.services, em: app.context().em, actor: { userId: staff.id, sessionId: "", role: "admin" } },
    { stage, version, fileName: "Setup.exe" },
    async () => Readable.from([`installer of ${version}`]),
  );
const getSetup = async (stage: string) => {
  const { status, text } = await app.rest("GET", `/software/${stage}/setup.exe`);
  return status === 200 ? text : status;
};
const getUpdate = async (stage: number, version: string) => {
  const { status, json } = await app.rest("GET", `/v1/software/update?stage=${stage}&version=${version}`);
  return status === 200 ? json.version : status;
};
/** Returns the code and the message with which a call is refused. */
const getError = (call: Promise<unknown>) =>
  call.then(
    () => [],
    ({ code, message }) => [code, message],
  );

test("publishes, rolls back, republishes and withdraws a build with immediate effect for customers and add-ins", async () => {
  const first = await publishTestBuild(app, "7.1.0");
  const second = await draft("7.2.0");
  expect([await getSetup("production"), await getUpdate(4, "7.0")]).toEqual(["installer of 7.1.0", "7.1.0"]);

  const published = await publish(second.id);
  expect(published).toMatchObject({
    stage: "PRODUCTION",
    stageLabel: "Production",
    version: "7.2.0",
    state: "OFFERED",
    fileName: "Setup.exe",
    sizeBytes: 18,
    url: "http://portal.test/software/production/7.2.0/Setup.exe",
    uploadedBy: `${staff.firstName} ${staff.lastName}`,
    withdrawnAt: null,
    files: [],
    downloads: { installer: 0, application: 0 },
  });
  expect([await getSetup("production"), await getUpdate(4, "7.1.0")]).toEqual(["installer of 7.2.0", "7.2.0"]);

  expect(await rollBack(4, second.id)).toEqual({
    latestVersion: "7.1.0",
    offered: { id: first.id, version: "7.1.0", state: "OFFERED" },
    previous: null,
  });
  expect([await getSetup("production"), await getUpdate(4, "7.1.0"), await getUpdate(4, "7.0")]).toEqual([
    "installer of 7.1.0",
    204,
    "7.1.0",
  ]);
  // Downloads in progress can continue.
  expect((await app.rest("GET", "/software/production/7.2.0/Setup.exe")).status).toBe(200);

  // The downloads above may be counted by now.
  expect(await publish(second.id)).toEqual({ ...published, downloads: expect.any(Object) });
  expect(await getSetup("production")).toBe("installer of 7.2.0");

  expect(await withdraw(second.id)).toMatchObject({ state: "WITHDRAWN", url: null });
  expect(await getSetup("production")).toBe("installer of 7.1.0");
  expect((await app.rest("GET", "/software/production/7.2.0/Setup.exe")).status).toBe(404);
  expect(await getError(publish(second.id))).toEqual([
    "UNPROCESSABLE",
    "This build was withdrawn. Upload it again under a higher version.",
  ]);
  const { withdrawnAt } = await withdraw(second.id);

  const actor = { actorId: staff.id, subjectName: "Production 7.2.0" };
  const [older, newer] = [{ offeredVersion: "7.1.0" }, { offeredVersion: "7.2.0" }];
  expect(await listAuditEntries(app, second.id)).toMatchObject([
    { action: "publish-software", ...actor, before: older, after: newer },
    { action: "roll-back-software", ...actor, before: newer, after: older },
    { action: "publish-software", ...actor, before: older, after: newer },
    {
      action: "withdraw-software",
      ...actor,
      before: { ...newer, withdrawnAt: null },
      after: { ...older, withdrawnAt },
    },
  ]);

  const { rows: events } = await app.services.pool.query(
    "select type, actor_id, detail from security_events where type like 'build.%' order by at, id",
  );
  const detail = { buildId: second.id, stage: "Production", version: "7.2.0" };
  expect(events.map(({ type }): string => type).toSorted((one, other) => one.localeCompare(other))).toEqual([
    "build.published",
    "build.published",
    "build.rolled-back",
    "build.withdrawn",
  ]);
  for (const event of events) expect(event).toMatchObject({ actor_id: staff.id, detail });

  expect((await withdraw(first.id)).state).toBe("WITHDRAWN");
  expect([await getSetup("production"), await getUpdate(4, "1.0")]).toEqual([404, 204]);
  expect(await getError(rollBack(4, first.id))).toEqual(["UNPROCESSABLE", "Nothing is offered in this stage."]);
});

test("doesn't roll back twice from an outdated screen", async () => {
  const builds = [];
  for (const version of ["2.0", "2.1", "2.2"]) builds.push(await publishTestBuild(app, version, { stage: 2 }));
  const shown = builds[2]?.id ?? "";
  const clicks = await Promise.all([1, 2].map(() => getError(rollBack(2, shown))));
  const refused = ["CONFLICT", "Version 2.1 is offered now. Check it before you roll back."];
  expect(clicks.toSorted((one, other) => one.length - other.length)).toEqual([[], refused]);
  expect(await getSetup("alpha")).toBe("installer of 2.1");
  await rollBack(2, builds[1]?.id ?? "");
  expect(await getError(rollBack(2, builds[0]?.id ?? ""))).toEqual([
    "UNPROCESSABLE",
    "There is no earlier build than 2.0 to roll back to.",
  ]);
});

test("doesn't offer a build below the minimum version", async () => {
  // The builds of other stages are below the minimum, so those stages offer nothing in the meantime.
  const others = await app.services.pool.query("select build_id from software_channels where stage <> 4");
  await app.services.pool.query("update software_channels set build_id = null, latest_version = null where stage <> 4");
  await publishTestBuild(app, "8.0");
  const offered = await publishTestBuild(app, "8.1");
  await setMinimum("8.1");
  const tooOld = ["UNPROCESSABLE", "Version 8.0 is below the minimum version 8.1.0. Lower the minimum version first."];
  expect(await getError(rollBack(4, offered.id))).toEqual(tooOld);
  expect(await getError(withdraw(offered.id))).toEqual(tooOld);
  const beta = await draft("8.0.5", 3);
  expect((await getError(publish(beta.id)))[0]).toBe("UNPROCESSABLE");
  expect(await getSetup("production")).toBe("installer of 8.1");
  await setMinimum("8.0");
  expect((await rollBack(4, offered.id)).latestVersion).toBe("8.0");
  await publish(offered.id);
  // Withdraw 8.0, so that withdrawing 8.1 would leave no build.
  const { rows } = await app.services.pool.query("select id from software_builds where version = '8.0'");
  await withdraw(rows[0].id);
  expect((await getError(withdraw(offered.id)))[1]).toBe(
    "Customers would have no build to download, because the minimum version is 8.0.0. Remove the minimum version first.",
  );
  await setMinimum(null);
  await withdraw(offered.id);
  await app.services.pool.query(
    "update software_channels c set build_id = b.id, latest_version = b.version_parts from software_builds b where b.stage = c.stage and b.id = any($1::uuid[])",
    [others.rows.map(({ build_id: id }) => id)],
  );
});

test("deletes a draft with its files, but not a published build, and doesn't withdraw a draft", async () => {
  const before = await listStoredKeys(app.services.files);
  const build = await draft("9.0");
  expect(await getError(withdraw(build.id))).toEqual([
    "UNPROCESSABLE",
    "This build was never published. Delete it instead.",
  ]);
  expect(await deleteDraft(build.id)).toEqual({ id: build.id });
  expect(await listStoredKeys(app.services.files)).toEqual(before);
  expect((await getError(deleteDraft(build.id)))[0]).toBe("NOT_FOUND");
  const deletion = { action: "delete-software-draft", actorId: staff.id, subjectName: "Production 9.0" };
  const file = { version: "9.0", fileName: "Setup.exe", sha256: build.sha256 };
  expect(await listAuditEntries(app, build.id)).toMatchObject([{ ...deletion, before: file, after: null }]);
  const published = await publishTestBuild(app, "9.0");
  expect(await getError(deleteDraft(published.id))).toEqual([
    "UNPROCESSABLE",
    "A published build can't be deleted. Withdraw it instead.",
  ]);
});

test("lists builds newest first, in pages, for one stage or all", async () => {
  const list = (variables: Record<string, unknown>) =>
    app.call("softwareBuilds { rows { version state uploadedBy } endCursor }", variables, admin);
  app.clock.setOffset(60_000);
  await draft("1.2", 6);
  app.clock.setOffset(120_000);
  await publishTestBuild(app, "1.1", { stage: 6 });
  app.clock.setOffset(0);
  const { rows, endCursor } = await list({ stage: "SPECIAL_VERSION_XT223", first: 1 });
  expect(rows).toEqual([{ version: "1.1", state: "OFFERED", uploadedBy: null }]);
  expect(await list({ stage: "SPECIAL_VERSION_XT223", first: 5, after: endCursor })).toMatchObject({
    rows: [{ version: "1.2", state: "UPLOADED", uploadedBy: `${staff.firstName} ${staff.lastName}` }],
  });
  expect(await list({ stage: "SPECIAL_VERSION_XT333" })).toEqual({ rows: [], endCursor: null });
  expect((await list({})).rows.length).toBeGreaterThan(5);
  for (const faulty of [{ stage: "NONE" }, { first: 0 }, { first: 101 }, { after: "x" }])
    await expect(list(faulty)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("offers Alpha and Beta only to testers", async () => {
  await publishTestBuild(app, "10.0");
  await publishTestBuild(app, "10.1", { stage: 3, content: "beta" });
  const tester = await createUser(app, { isTester: true });
  const labels = async (token: string) =>
    (await app.call("installers { stageLabel version }", {}, token)).map(
      ({ stageLabel, version }: { stageLabel: string; version: string }) => `${stageLabel} ${version}`,
    );
  expect(await labels(await signInAs(app, tester))).toEqual(["Production 10.0", "Alpha 2.0", "Beta 10.1"]);
  for (const user of [await createUser(app), await createCorporateUser(app), staff])
    expect(await labels(await signInAs(app, user))).toEqual(["Production 10.0"]);
});

test.each(["not an id", "00000000-0000-4000-8000-000000000000", "a\0b"])("rejects the build id %j", async (id) => {
  for (const change of [publish, withdraw, deleteDraft]) expect((await getError(change(id)))[0]).toBe("NOT_FOUND");
  expect(["CONFLICT", "UNPROCESSABLE"]).toContain((await getError(rollBack(4, id)))[0]);
});
