import { randomUUID, createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, test, describe } from "vitest";
import { createApp } from "#api/app.ts";
import { createDownloadCounts } from "#api/releases/software/count-downloads.ts";
import { SoftwareBuild } from "#api/releases/software/software-build.entity.ts";
import { createBareProgram, createClickOnceBuild } from "#tests/factories/click-once.ts";
import { getUploadedFiles, uploadGraphql } from "#tests/factories/software-upload.ts";
import { publishClickOnceBuild, publishTestBuild } from "#tests/factories/software.ts";
import { createAdmin, signInAs, createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";

const app = await startTestApp();

describe("download counts", async () => {
  const other = await openSecondProcess(app);
  const big = await createClickOnceBuild("7.2.0", { installer: createBareProgram(8_000_000) });
  const build = await publishClickOnceBuild(app, big);
  const setup = "/software/production/setup.exe";
  const vsto = "/software/production/XERBridge.vsto";
  const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    app.rest(method, path, { headers });
  const readCounts = async () => {
    const { rows } = await app.services.pool.query<{ day: string; kind: string; count: number }>(
      "select to_char(day, 'YYYY-MM-DD') as day, kind, count from software_downloads where build_id = $1 order by 1, 2",
      [build.id],
    );
    return rows;
  };
  const totals = async () => {
    const sum = (kind: string, rows: { kind: string; count: number }[]) =>
      rows.filter((row) => row.kind === kind).reduce((total, { count }) => total + count, 0);
    const rows = await readCounts();
    return { installer: sum("installer", rows), application: sum("application", rows) };
  };

  test("counts each complete download once, and nothing else", async () => {
    await get(setup, {}, "HEAD");
    await get(setup, { range: "bytes=0-999" });
    await get(setup, { range: "bytes=9000000-" });
    const { headers } = await get(vsto, {}, "HEAD");
    await get(vsto, { "if-none-match": headers.get("etag") ?? "" });
    await get(`/software/production/${encodeURI(big.manifestPath)}`);
    const broken = request(app.url + setup).end();
    const [answer] = (await once(broken, "response")) as [IncomingMessage];
    await once(answer, "readable");
    broken.destroy();
    // An interrupted download and its rest count as one.
    await get(setup, { range: "bytes=1000-" });
    await get(setup);
    await get(`/software/production/7.2.0/${big.installer.name}`);
    await get(vsto);
    await expect.poll(totals, { timeout: 5_000 }).toEqual({ installer: 3, application: 1 });
  });

  test("counts 100 concurrent downloads across two processes on the right day", async () => {
    const before = await totals();
    const secondApp = await createApp(other);
    const url = await secondApp.listen({ port: 0, host: "127.0.0.1" });
    app.clock.setOffset(86_400_000);
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const answer = await fetch(`${index % 2 ? app.url : url}${vsto}`);
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    // A process writes its counts before it stops.
    await secondApp.close();
    await expect.poll(totals, { timeout: 5_000 }).toEqual({ ...before, application: before.application + 100 });
    const tomorrow = app.clock.now().toISOString().slice(0, 10);
    expect((await readCounts()).find(({ day }) => day === tomorrow)).toEqual({
      day: tomorrow,
      kind: "application",
      count: 100,
    });
    app.clock.setOffset(0);
  });

  test("shows staff the total downloads of a build", async () => {
    const admin = await signInAs(app, await createAdmin(app));
    const { data } = await app.graphql(
      `{ softwareBuilds(stage: 4) { rows { downloads { installer application } files { path kind url } } } }`,
      {},
      admin,
    );
    expect(data.softwareBuilds.rows[0].downloads).toEqual({ installer: 3, application: 101 });
    expect(data.softwareBuilds.rows[0].files).toHaveLength(6);
    expect(data.softwareBuilds.rows[0].files[0]).toEqual({
      path: "XERBridge.vsto",
      kind: "deployment-manifest",
      url: "http://portal.test/software/production/7.2.0/XERBridge.vsto",
    });
  });

  test("keeps counts while the database is unreachable and writes them later", async () => {
    const failing = { pool: { query: () => Promise.reject(new Error("unreachable")) } } as never;
    const counts = createDownloadCounts({ ...app.services, ...(failing as object) });
    counts.add(build.id, "installer");
    await counts.flush();
    const statements: unknown[][] = [];
    const back = createDownloadCounts({
      ...app.services,
      pool: {
        query: async (_text: string, values: unknown[]) => {
          statements.push(values);
          if (statements.length === 1) throw new Error("unreachable");
        },
      } as never,
    });
    back.add(build.id, "installer");
    back.add(build.id, "installer");
    await back.flush();
    back.add(build.id, "installer");
    await back.flush();
    await back.flush();
    expect(statements.map((values) => values[3])).toEqual([[2], [3]]);
  });
});

describe("a build by its id", async () => {
  const admin = await signInAs(app, await createAdmin(app));
  const customer = await signInAs(app, await createUser(app));

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
    expect(new URL(manifestUrl).pathname).toBe("/software/alpha/1.1.0/XERBridge.vsto");
    expect(files[0]).toEqual({ path: "XERBridge.vsto", url: manifestUrl });
    expect((await app.rest("GET", new URL(manifestUrl).pathname)).status).toBe(200);
  });

  test("returns no .vsto for a build with only an installer", async () => {
    const id = await upload("1.2.0", true);
    await publish(id);
    expect((await findBuild(id)).data.softwareBuild).toMatchObject({ manifestUrl: null, files: [] });
  });

  test("rejects unknown ids and customers", async () => {
    for (const id of [randomUUID(), "x", "\0"])
      expect((await findBuild(id)).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
    expect((await findBuild(randomUUID(), customer)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  });
});

describe("updates", () => {
  const checkUpdate = (query: string) => app.rest("GET", `/v1/software/update${query}`);

  async function withdraw(build: SoftwareBuild): Promise<void> {
    const { em } = app.context();
    await em.nativeUpdate(SoftwareBuild, build.id, { withdrawnAt: app.clock.now() });
  }

  test("responds with 204 if nothing is published", async () => {
    const answer = await checkUpdate("?stage=6&version=1.0");
    expect(answer.status).toBe(204);
    expect(answer.text).toBe("");
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("returns the newest version, its URL and checksum for an older version", async () => {
    await publishTestBuild(app, "7.1.0");
    await publishTestBuild(app, "7.2.0", { content: "the installer" });
    const { status, json } = await checkUpdate("?stage=4&version=7.1.0");
    expect(status).toBe(200);
    expect(json).toEqual({
      version: "7.2.0",
      url: "http://portal.test/software/production/7.2.0/XER-Bridge-Setup-7.2.0.exe",
      sha256: createHash("sha256").update("the installer").digest("hex"),
      proof: expect.any(String),
    });
    const file = await app.rest("GET", new URL(json.url).pathname);
    expect(file.text).toBe("the installer");
  });

  test.each(["7.2.0", "7.2", "7.2.0.0", "7.2.0-beta.1", "7.2.0.1", "7.10", "8", "65535.65535"])(
    "responds with 204 for %s, which isn't older",
    async (version) => {
      expect((await checkUpdate(`?stage=4&version=${version}`)).status).toBe(204);
    },
  );

  test.each(["0", "7.1.9", "7.1.65535.65535", "7.1.0-rc.2", "6.99"])("offers an update for %s", async (version) => {
    expect((await checkUpdate(`?stage=4&version=${version}`)).json.version).toBe("7.2.0");
  });

  test("uses Production if the stage is missing", async () => {
    expect((await checkUpdate("?version=7.0")).json.version).toBe("7.2.0");
  });

  test("offers only builds in the requested stage", async () => {
    await publishTestBuild(app, "7.3.0", { stage: 3 });
    expect((await checkUpdate("?stage=3&version=7.2.0")).json).toMatchObject({
      version: "7.3.0",
      url: "http://portal.test/software/beta/7.3.0/XER-Bridge-Setup-7.3.0.exe",
    });
    expect((await checkUpdate("?stage=4&version=7.2.0")).status).toBe(204);
    expect((await checkUpdate("?stage=2&version=1")).status).toBe(204);
  });

  test("doesn't offer a withdrawn build", async () => {
    await withdraw(await publishTestBuild(app, "1.5", { stage: 5 }));
    expect((await checkUpdate("?stage=5&version=1.0")).status).toBe(204);
  });

  test.each([
    ["", ["version"]],
    ["?stage=4", ["version"]],
    ["?version=", ["version"]],
    ["?version=beta", ["version"]],
    ["?version=7.2.0.1.5", ["version"]],
    ["?version=99999", ["version"]],
    ["?version=99999999999999999999", ["version"]],
    [`?version=${"1".repeat(5_000)}`, ["version"]],
    ["?version=7.2%00", ["version"]],
    ["?version=7.2%0d%0aX-Evil:1", ["version"]],
    ["?version=7.2&version=7.3", ["version"]],
    ["?version[a]=7.2", ["version"]],
    ["?stage=0&version=7.2", ["stage"]],
    ["?stage=7&version=7.2", ["stage"]],
    ["?stage=4.5&version=7.2", ["stage"]],
    ["?stage=-4&version=7.2", ["stage"]],
    ["?stage=&version=7.2", ["stage"]],
    ["?stage=production&version=7.2", ["stage"]],
    ["?stage=1e400&version=7.2", ["stage"]],
    ["?stage=4&stage=3&version=7.2", ["stage"]],
    ["?stage=99&version=x'%20or%201=1", ["stage"]],
    ["?stage[$ne]=4&version=7.2", []],
    ["?__proto__[stage]=3&version=7.2", []],
  ])("rejects %s and names the field", async (query, fields) => {
    const { status, json } = await checkUpdate(query);
    if (fields.length === 0) return expect([200, 204]).toContain(status);
    expect(status).toBe(400);
    expect(Object.keys(json)).toEqual(fields);
    for (const sentences of Object.values(json as Record<string, string[]>))
      for (const sentence of sentences) expect(sentence).toMatch(/^(Version|Software stage|Must|Contains).*\.$/);
  });
});
