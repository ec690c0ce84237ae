import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test, describe } from "vitest";
import { countEmbeddedConnections, openDatabase } from "#api/app/database.ts";
import { toPoolConfig } from "#api/platform/database/database.ts";
import { readDatabaseTls } from "#api/platform/database/encrypted-connections.ts";
import { openReportPool } from "#api/platform/database/report-pool.ts";
import { isDatabaseUnavailable, toAppError } from "#api/platform/errors.ts";
import { listenLocally } from "#tests/support/listen-locally.ts";
import { createTestConfig } from "#tests/support/test-config.ts";
import { whenDone } from "#tests/support/when-done.ts";

const nowhere = "/nowhere/.s.PGSQL.5432";
const missingSocket = () =>
  new Promise<Error>((resolve) => {
    connect(nowhere).once("error", resolve);
  });

test("treats a missing socket as an unavailable database, but not a missing file", async () => {
  expect(isDatabaseUnavailable(await missingSocket())).toBe(true);
  expect(isDatabaseUnavailable(new Error("query failed", { cause: await missingSocket() }))).toBe(true);
  expect(isDatabaseUnavailable(await open(nowhere).catch((error: unknown) => error))).toBe(false);
});

// The name of a stopped container has no address.
const connections = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN", "ENOSPC"];
// Full disk or memory, too many connections, a limit, starting and stopping, faulty disks, and a failover.
const states = ["53100", "53200", "53300", "53400", "57P03", "57P01", "58030", "58000", "08006", "25006"];
const timeouts = ["timeout expired", "Query read timeout", "timeout exceeded when trying to connect"];
const faults = ["23505", "22P02", "42P01", "XX000", "53", "0800", "58999X"];

test.each([
  ...[...connections, ...states].map((code) => ["UNAVAILABLE", code, "failed"] as const),
  ...timeouts.map((message) => ["UNAVAILABLE", undefined, message] as const),
  ...faults.map((code) => ["INTERNAL", code, "failed"] as const),
])("answers %s for an error with the code %s and the message '%s'", (answer, code, message) => {
  expect(toAppError(Object.assign(new Error(message), { code })).code).toBe(answer);
});

test.each([1, 4, 128])("the embedded database accepts the connections of %i processes and of commands", (processes) => {
  const { operations } = createTestConfig("");
  const { options } = openReportPool({ host: nowhere, dbName: "portal" });
  const simulator = 4;
  const all = processes * (operations.poolSize + (options.max ?? 0) + simulator);
  expect(countEmbeddedConnections({ operations }, processes)).toBeGreaterThan(all + 2 * operations.poolSize);
});

describe("encrypted connections", () => {
  test("reads the TLS settings that the ORM ignores in a database URL", () => {
    const authority = join(tmpdir(), `portal-ca-${process.pid}.pem`);
    writeFileSync(authority, "a certificate");
    const read = (query: string) => readDatabaseTls(`postgres://db/portal${query}`);
    expect([read(""), read("?sslmode=disable")]).toEqual([undefined, undefined]);
    expect(read("?sslmode=verify-full")).toEqual({ rejectUnauthorized: true });
    expect(read("?sslmode=no-verify")).toEqual({ rejectUnauthorized: false });
    expect(read(`?sslmode=require&sslrootcert=${encodeURIComponent(authority)}`)).toEqual({
      rejectUnauthorized: true,
      ca: "a certificate",
    });
  });

  test.each(["uselibpqcompat=true&sslmode=require", "sslmode=verify-full&ssl=0"])(
    "verifies certificates in every pool, whatever pg reads in %s",
    (query) => {
      const client = new pg.Client(toPoolConfig({ url: `postgres://db/portal?${query}` }));
      expect(client).toMatchObject({ ssl: { rejectUnauthorized: true } });
    },
  );

  test("connects with TLS if the database URL requires it", async () => {
    const { createServer } = await import("node:net");
    const { promise, resolve } = Promise.withResolvers<string>();
    const server = createServer((socket) =>
      socket.once("data", (bytes) => {
        resolve(bytes.toString("hex"));
        socket.end("N");
      }),
    );
    const port = await listenLocally(server);
    const orm = await openDatabase({ url: `postgres://portal@127.0.0.1:${port}/portal?sslmode=verify-full` });
    whenDone(() => orm.close(true));
    await expect(orm.em.fork().getConnection().execute("select 1")).rejects.toThrow("does not support SSL");
    // The SSLRequest message of PostgreSQL's protocol.
    expect(await promise).toBe("0000000804d2162f");
  });
});
