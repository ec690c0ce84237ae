import { connect } from "node:net";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { createApp } from "#api/app.ts";
import { defaultDeadlines } from "#api/platform/http/request-deadlines.ts";
import { createBareProgram } from "#tests/factories/click-once.ts";
import { buildUsersCsv } from "#tests/factories/bulk.ts";
import { listSpooledFiles, useOwnTemporaryFolder } from "#tests/factories/software-upload.ts";
import { listStoredKeys } from "#tests/factories/software.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { recordLog } from "#tests/support/record-log.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const { log, lines } = recordLog("warn");

const shortened = { headersMs: 300, bodyMs: 400, uploadMs: 1_600, uploadBytesPerSecond: 1e12, checkedEveryMs: 50 };
const server = await createApp({ ...app.services, log }, null, shortened);
const port = Number(new URL(await server.listen({ port: 0, host: "127.0.0.1" })).port);
afterAll(() => server.close());
const admin = await signInAs(app, await createAdmin(app));

afterEach(() => expect(lines.splice(0)).toEqual([]));

interface Ended {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** Time from the first byte sent to the end of the connection, in milliseconds. */
  readonly ms: number;
}

/** Sends the first text immediately, then one piece at a time until the server closes the connection. */
const send = (first: string, pieces: readonly (string | Buffer)[], everyMs: number): Promise<Ended> =>
  new Promise((resolve) => {
    const startedAt = performance.now();
    const received: Buffer[] = [];
    const left = [...pieces];
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(first);
      timer = setInterval(() => {
        const piece = left.shift();
        if (piece !== undefined) socket.write(piece);
      }, everyMs);
    });
    let timer: NodeJS.Timeout | undefined;
    socket.on("data", (data) => received.push(data));
    // The server may close the connection while a piece is being sent.
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(timer);
      const [head = "", body = ""] = Buffer.concat(received).toString().split("\r\n\r\n", 2);
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body, ms: performance.now() - startedAt });
    });
  });

function buildHead(request: string, length: number, headers: Record<string, string> = {}): string {
  const all = { host: "localhost", "content-length": String(length), ...headers };
  const list = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request} HTTP/1.1\r\n${list.join("")}\r\n`;
}

const json = { "content-type": "application/json" };
const dripping = Array<string>(1_000).fill(" ");
const late = { Message: "The request took too long to arrive. Please try again.", requestId: expect.any(String) };

test("limits requests to 15 seconds, with more time for uploads", () => {
  expect(defaultDeadlines).toMatchObject({ headersMs: 15_000, bodyMs: 15_000, uploadMs: 60_000 });
});

describe.concurrent("a slowly sent body", () => {
  test.each(["/v1/contact-us/send", "/v1/licence/validate", "/graphql", "/v1/payments/webhook"])(
    "to %s gets a 408 JSON response and a closed connection",
    async (path) => {
      const ended = await send(buildHead(`POST ${path}`, 1_000, json), dripping, 30);
      expect(ended.status).toBe(408);
      for (const part of [/connection: close/i, /content-type: application\/json/i, /x-content-type-options: nosniff/i])
        expect(ended.head).toMatch(part);
      expect(JSON.parse(ended.body)).toEqual(late);
      expect(ended.ms).toBeGreaterThan(350);
      expect(ended.ms).toBeLessThan(1_400);
    },
  );

  test("also gets a 408 with chunked encoding", async () => {
    const first = `POST /v1/contact-us/send HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    expect((await send(first, Array<string>(1_000).fill("1\r\n \r\n"), 30)).status).toBe(408);
  });

  test.each(["GET /health/live", "POST /nowhere", "GET /v1/licence/%zz"])(
    "closes the connection if %s responds without reading it",
    async (request) => {
      const ended = await send(buildHead(request, 1_000, json), dripping, 30);
      expect([200, 400, 401, 404, 408]).toContain(ended.status);
      expect(ended.ms).toBeLessThan(1_400);
    },
  );

  test("is read if it arrives in time", async () => {
    const text = JSON.stringify({ name: "Ada", email: "ada@example.com", phone: "0400 000 000", message: "Hello" });
    const pieces = [text.slice(0, 20), text.slice(20, 50), text.slice(50)];
    const head = buildHead("POST /v1/contact-us/send", Buffer.byteLength(text), { ...json, connection: "close" });
    expect((await send(head, pieces, 20)).status).toBe(200);
  });
});

describe.concurrent("slowly sent headers", () => {
  test("get a 408 JSON response and a closed connection", async () => {
    const ended = await send("GET /health/live HTTP/1.1\r\n", Array<string>(1_000).fill("x-a: b\r\n"), 30);
    expect(ended.status).toBe(408);
    expect(ended.head).toMatch(/x-content-type-options: nosniff/i);
    expect(JSON.parse(ended.body)).toEqual(late);
    expect(ended.head).toContain(`x-request-id: ${JSON.parse(ended.body).requestId}`);
    expect(ended.ms).toBeLessThan(1_400);
  });

  test("close the connection if they never start", async () => {
    expect((await send("", [], 1_000)).ms).toBeLessThan(1_400);
  });

  test("get a 400 JSON response if they aren't HTTP", async () => {
    const ended = await send("nonsense\r\n\r\n", [], 1_000);
    expect([ended.status, JSON.parse(ended.body)]).toEqual([400, { body: ["Must be a valid HTTP request."] }]);
    expect(ended.head).toMatch(/^x-request-id: [0-9a-f-]{36}$/im);
  });
});

const part = (name: string, more = "") => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
const program = createBareProgram();

const multipart = { "content-type": "multipart/form-data; boundary=b", "apollo-require-preflight": "true" };
const operations = JSON.stringify({
  query: `mutation ($input: UploadSoftwareInput!, $file: Upload!) {
    uploadSoftware(input: $input, installationFile: $file) { id version } }`,
  variables: { input: { softwareStage: "BETA", version: "7.4.1" }, file: null },
});

/** Uploads with their path, headers, and the content before, in and after the file. */
const uploads = [
  {
    name: "build upload as multipart",
    path: "/v1/software/upload",
    headers: multipart,
    before: `${part("softwareStage")}3\r\n${part("version")}7.4.1\r\n${part("installationFile", '; filename="setup.exe"')}`,
    content: program,
    after: "\r\n--b--\r\n",
    taken: 200,
  },
  {
    name: "build upload as JSON",
    path: "/v1/software/upload",
    headers: json,
    before: '{"softwareStage": 3, "version": "7.4.1", "installationFileName": "setup.exe", "installationFile": "',
    content: Buffer.from(program.toString("base64")),
    after: '"}',
    taken: 200,
  },
  {
    name: "build upload as GraphQL",
    path: "/graphql",
    headers: multipart,
    before: `${part("operations")}${operations}\r\n${part("map")}{"0": ["variables.file"]}\r\n${part("0", '; filename="setup.exe"')}`,
    content: program,
    after: "\r\n--b--\r\n",
    taken: 200,
  },
  {
    name: "file of a bulk run",
    path: "/v1/admin/bulk-runs?kind=import-users&fileName=users.csv",
    headers: { "content-type": "text/csv" },
    before: "",
    content: Buffer.from(buildUsersCsv(3)),
    after: "",
    taken: 202,
  },
];

function cut(content: Buffer, count: number): Buffer[] {
  const size = Math.ceil(content.length / count);
  return Array.from({ length: count }, (_, at) => content.subarray(at * size, (at + 1) * size)).filter(
    ({ length }) => length > 0,
  );
}

const cases = uploads.map((upload) => {
  const length = Buffer.byteLength(upload.before) + upload.content.length + Buffer.byteLength(upload.after);
  return {
    ...upload,
    head: (token: string, more: Record<string, string> = {}) =>
      buildHead(`POST ${upload.path}`, length, { ...upload.headers, authorization: `Bearer ${token}`, ...more }),
  };
});
const closed = { connection: "close" };

// The uploads of a test arrive at the same time, because most of it is waiting.
describe("every upload", () => {
  test("has more time than other bodies", async () => {
    const all = cases.map(async ({ name, head, before, content, after, taken }) => {
      const ended = await send(head(admin, closed) + before, [...cut(content, 9), after], 60);
      expect(ended.ms, name).toBeGreaterThan(shortened.bodyMs);
      expect([ended.status, ended.body], name).toEqual([taken, expect.not.stringContaining("errors")]);
    });
    await Promise.all(all);
    for (const table of ["software_files", "software_builds", "bulk_runs"])
      await app.services.pool.query(`delete from ${table}`);
  });

  test("gets a 408 after the time allowed for its size, and leaves no files", async () => {
    const stored = await listStoredKeys(app.services.files);
    const all = cases.map(async ({ name, path, head, before, content }) => {
      const ended = await send(head(admin, closed) + before, cut(content, 1_000).slice(0, 500), 30);
      expect(ended.status, name).toBe(408);
      expect(ended.head, name).toMatch(/connection: close/i);
      expect(JSON.parse(ended.body), name).toEqual(
        path === "/graphql" ? { errors: [{ message: late.Message, extensions: { code: "REQUEST_TIMEOUT" } }] } : late,
      );
      expect(ended.ms, name).toBeGreaterThan(1_500);
      expect(ended.ms, name).toBeLessThan(4_500);
    });
    await Promise.all(all);
    await vi.waitFor(() => expect(listSpooledFiles(app)).toEqual([]));
    expect(await listStoredKeys(app.services.files)).toEqual(stored);
    const { rows } = await app.services.pool.query("select id from software_builds union all select id from bulk_runs");
    expect(rows).toEqual([]);
  });

  test("has no extra time if the user may not upload", async () => {
    const customer = await signInAs(app, await createUser(app));
    const all = cases.map(async ({ name, head, before, content }) => {
      const ended = await send(head(customer) + before, cut(content, 1_000).slice(0, 500), 30);
      expect([200, 403], name).toContain(ended.status);
      expect(ended.ms, name).toBeLessThan(1_400);
    });
    await Promise.all(all);
  });
});
