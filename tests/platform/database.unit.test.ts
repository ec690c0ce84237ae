import { writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, describe } from "vitest";
import { openDatabase } from "#api/app/database.ts";
import { readDatabaseTls } from "#api/platform/database/encrypted-connections.ts";
import { isDatabaseUnavailable, toAppError } from "#api/platform/errors.ts";
import { listenLocally } from "#tests/support/listen-locally.ts";

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

test.each([
  ["connect", "ECONNREFUSED"],
  ["connect", "EHOSTUNREACH"],
  ["connect", "ENETUNREACH"],
  // The name of a stopped container has no address.
  ["getaddrinfo", "ENOTFOUND"],
  ["getaddrinfo", "EAI_AGAIN"],
])("treats %s %s as an unavailable database", (syscall, code) => {
  const error = Object.assign(new Error(`${syscall} ${code} database`), { syscall, code });
  expect(isDatabaseUnavailable(error)).toBe(true);
  expect(toAppError(error).code).toBe("UNAVAILABLE");
});

describe("encrypted connections", () => {
  test("reads the TLS settings that the ORM ignores in a database URL", () => {
    const authority = join(tmpdir(), `portal-ca-${process.pid}.pem`);
    writeFileSync(authority, "a certificate");
    const read = (query: string) => readDatabaseTls(`postgres://db/portal${query}`);
    expect(read("")).toBeUndefined();
    expect(read("?sslmode=disable")).toBeUndefined();
    expect(read("?sslmode=verify-full")).toEqual({ rejectUnauthorized: true });
    expect(read("?sslmode=no-verify")).toEqual({ rejectUnauthorized: false });
    expect(read(`?sslmode=require&sslrootcert=${encodeURIComponent(authority)}`)).toEqual({
      rejectUnauthorized: true,
      ca: "a certificate",
    });
  });

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
    try {
      await expect(orm.em.fork().getConnection().execute("select 1")).rejects.toThrow("does not support SSL");
      // The SSLRequest message of PostgreSQL's protocol.
      expect(await promise).toBe("0000000804d2162f");
    } finally {
      await orm.close(true);
    }
  });
});
