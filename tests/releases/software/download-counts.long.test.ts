import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { expect, test } from "vitest";
import { createDownloadCounts } from "#api/releases/software/count-downloads.ts";
import { createBareProgram, createClickOnceBuild } from "#tests/factories/click-once.ts";
import { publishClickOnceBuild } from "#tests/factories/software.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { openSecondProcess } from "#tests/support/two-processes.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { createApp } from "#api/app.ts";

const app = await startTestApp();
const other = await openSecondProcess(app);
const big = await createClickOnceBuild("7.2.0", { installer: createBareProgram(8_000_000) });
const build = await publishClickOnceBuild(app, big);
const setup = "/software/production/setup.exe";
const vsto = "/software/production/Planvarro.vsto";
const get = (path: string, headers: Record<string, string> = {}, method = "GET") => app.rest(method, path, { headers });
const readCounts = async () => {
  const { rows } = await app.services.pool.query<{ day: string; kind: "installer" | "application"; count: number }>(
    "select to_char(day, 'YYYY-MM-DD') as day, kind, count from software_downloads where build_id = $1 order by 1, 2",
    [build.id],
  );
  return rows;
};
const totals = async () => {
  const counts = { installer: 0, application: 0 };
  for (const { kind, count } of await readCounts()) counts[kind] += count;
  return counts;
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
  const expected = { day: tomorrow, kind: "application", count: 100 };
  expect((await readCounts()).find(({ day }) => day === tomorrow)).toEqual(expected);
  app.clock.setOffset(0);
});

test("shows staff the total downloads of a build", async () => {
  const admin = await signInAs(app, await createAdmin(app));
  const call = "softwareBuilds { rows { downloads { installer application } files { path kind url } } }";
  const { rows } = await app.call(call, { stage: "PRODUCTION" }, admin);
  expect(rows[0].downloads).toEqual({ installer: 3, application: 101 });
  expect(rows[0].files).toHaveLength(6);
  expect(rows[0].files[0]).toEqual({
    path: "Planvarro.vsto",
    kind: "DEPLOYMENT_MANIFEST",
    url: "http://portal.test/software/production/7.2.0/Planvarro.vsto",
  });
});

test("keeps counts while the database is unreachable and writes them later", async () => {
  const statements: unknown[][] = [];
  const counts = createDownloadCounts({
    ...app.services,
    pool: {
      query: async (_text: string, values: unknown[]) => {
        statements.push(values);
        if (statements.length === 1) throw new Error("unreachable");
      },
    } as never,
  });
  counts.add(build.id, "installer");
  counts.add(build.id, "installer");
  await counts.flush();
  counts.add(build.id, "installer");
  await counts.flush();
  await counts.flush();
  expect(statements.map((values) => values[3])).toEqual([[2], [3]]);
});
