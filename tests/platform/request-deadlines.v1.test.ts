import { pino } from "pino";
import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { createApp } from "#api/app.ts";
import { loggedError } from "#api/platform/log.ts";
import { requestDeadlines } from "#api/platform/request-deadlines.ts";
import { bareProgram } from "#tests/factories/click-once.ts";
import { usersCsv } from "#tests/factories/bulk.ts";
import { spooled, useOwnTemporaryFolder } from "#tests/factories/software-upload.ts";
import { storedKeys } from "#tests/factories/software.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
useOwnTemporaryFolder(app);
const lines: string[] = [];

/** A body may take 400 ms, an upload 1.6 s; headers 300 ms. */
const shortened = { headersMs: 300, bodyMs: 400, uploadMs: 1_600, uploadBytesPerSecond: 1e12, checkedEveryMs: 50 };
let port: number;
let admin: string;

beforeAll(async () => {
  const log = pino({ level: "warn", serializers: { err: loggedError } }, { write: (line) => void lines.push(line) });
  const server = await createApp({ ...app.services, log }, null, shortened);
  port = Number(new URL(await server.listen({ port: 0, host: "127.0.0.1" })).port);
  afterAll(() => server.close());
  admin = await signInAs(app, await createAdmin(app));
});

afterEach(() => {
  expect(lines.splice(0)).toEqual([]);
});

interface Ended {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** Milliseconds from the first byte that was sent to the end of the connection. */
  readonly ms: number;
}

/** Sends the first text at once and the pieces one after the other until the server ends the connection. */
function send(first: string, pieces: readonly (string | Buffer)[], everyMs: number): Promise<Ended> {
  return new Promise((resolve) => {
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
    // The server may close while a piece is on its way.
    socket.on("error", () => {});
    socket.once("close", () => {
      clearInterval(timer);
      const [head = "", body = ""] = Buffer.concat(received).toString().split("\r\n\r\n", 2);
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body, ms: performance.now() - startedAt });
    });
  });
}

function headOf(request: string, length: number, headers: Record<string, string> = {}): string {
  const all = { host: "localhost", "content-length": String(length), ...headers };
  const list = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${request} HTTP/1.1\r\n${list.join("")}\r\n`;
}

const json = { "content-type": "application/json" };
const dripping = Array<string>(1_000).fill(" ");
const late = { Message: "The request took too long to arrive. Please try again.", requestId: expect.any(String) };

test("the limits are 15 seconds, and more for uploads by their size", () => {
  expect(requestDeadlines).toEqual({
    headersMs: 15_000,
    bodyMs: 15_000,
    uploadMs: 60_000,
    uploadBytesPerSecond: 100_000,
    checkedEveryMs: 5_000,
  });
});

describe("a body that drips", () => {
  test.each(["/v1/contact-us/send", "/v1/licence/validate", "/graphql", "/v1/payments/webhook"])(
    "to %s is answered 408 as JSON, and its connection closed",
    async (path) => {
      const ended = await send(headOf(`POST ${path}`, 1_000, json), dripping, 30);
      expect(ended.status).toBe(408);
      expect(ended.head).toMatch(/connection: close/i);
      expect(ended.head).toMatch(/content-type: application\/json/i);
      expect(ended.head).toMatch(/x-content-type-options: nosniff/i);
      expect(JSON.parse(ended.body)).toEqual(late);
      expect(ended.ms).toBeGreaterThan(350);
      expect(ended.ms).toBeLessThan(1_400);
    },
  );

  test("in chunks of unknown number is answered 408, too", async () => {
    const first = `POST /v1/contact-us/send HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`;
    const ended = await send(first, Array<string>(1_000).fill("1\r\n \r\n"), 30);
    expect(ended.status).toBe(408);
  });

  test.each(["GET /health/live", "POST /nowhere", "GET /v1/licence/%zz"])(
    "of %s, which is answered without it, ends its connection all the same",
    async (request) => {
      const ended = await send(headOf(request, 1_000, json), dripping, 30);
      expect([200, 400, 404, 408]).toContain(ended.status);
      expect(ended.ms).toBeLessThan(1_400);
    },
  );

  test("and arrives in time is read as ever", async () => {
    const text = JSON.stringify({
      name: "Ada Byron",
      email: "ada@example.com",
      phone: "0400 000 000",
      message: "Hello",
    });
    const pieces = [text.slice(0, 20), text.slice(20, 50), text.slice(50)];
    const head = headOf("POST /v1/contact-us/send", Buffer.byteLength(text), { ...json, connection: "close" });
    const ended = await send(head, pieces, 20);
    expect(ended.status).toBe(200);
  });
});

describe("headers that drip", () => {
  test("are answered 408 as JSON, and their connection closed", async () => {
    const ended = await send("GET /health/live HTTP/1.1\r\n", Array<string>(1_000).fill("x-a: b\r\n"), 30);
    expect(ended.status).toBe(408);
    expect(ended.head).toMatch(/x-content-type-options: nosniff/i);
    expect(JSON.parse(ended.body)).toEqual(late);
    expect(ended.ms).toBeLessThan(1_400);
  });

  test("and never begin end the connection", async () => {
    expect((await send("", [], 1_000)).ms).toBeLessThan(1_400);
  });

  test("what is no HTTP is answered 400 as JSON", async () => {
    const ended = await send("nonsense\r\n\r\n", [], 1_000);
    expect([ended.status, JSON.parse(ended.body)]).toEqual([400, { body: ["Must be a valid HTTP request."] }]);
  });
});

const part = (name: string, more = "") => `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
const program = bareProgram();

const multipart = { "content-type": "multipart/form-data; boundary=b", "apollo-require-preflight": "true" };
const operations = JSON.stringify({
  query: `mutation ($input: UploadSoftwareInput!, $file: Upload!) {
    uploadSoftware(input: $input, installationFile: $file) { id version } }`,
  variables: { input: { softwareStage: 3, version: "7.4.1" }, file: null },
});

/** Each upload: where to, of which type, and what comes before, in and after its file. */
const uploads = [
  {
    name: "a build as multipart",
    path: "/v1/software/upload",
    headers: multipart,
    before: `${part("softwareStage")}3\r\n${part("version")}7.4.1\r\n${part("installationFile", '; filename="setup.exe"')}`,
    content: program,
    after: "\r\n--b--\r\n",
    taken: 200,
  },
  {
    name: "a build as JSON",
    path: "/v1/software/upload",
    headers: json,
    before: '{"softwareStage": 3, "version": "7.4.1", "installationFileName": "setup.exe", "installationFile": "',
    content: Buffer.from(program.toString("base64")),
    after: '"}',
    taken: 200,
  },
  {
    name: "a build as GraphQL",
    path: "/graphql",
    headers: multipart,
    before: `${part("operations")}${operations}\r\n${part("map")}{"0": ["variables.file"]}\r\n${part("0", '; filename="setup.exe"')}`,
    content: program,
    after: "\r\n--b--\r\n",
    taken: 200,
  },
  {
    name: "a file of bulk work",
    path: "/v1/admin/bulk-runs?kind=import-users&fileName=users.csv",
    headers: { "content-type": "text/csv" },
    before: "",
    content: Buffer.from(usersCsv(3)),
    after: "",
    taken: 202,
  },
];

/** Cuts a content into so many pieces. */
function cut(content: Buffer, count: number): Buffer[] {
  const size = Math.ceil(content.length / count);
  return Array.from({ length: count }, (_, at) => content.subarray(at * size, (at + 1) * size)).filter(
    ({ length }) => length > 0,
  );
}

describe.each(uploads)("$name", ({ path, headers, before, content, after: end, taken }) => {
  const length = Buffer.byteLength(before) + content.length + Buffer.byteLength(end);
  const head = () =>
    headOf(`POST ${path}`, length, { ...headers, authorization: `Bearer ${admin}`, connection: "close" });

  test("may take longer than other bodies", async () => {
    const pieces = cut(content, 12);
    const ended = await send(head() + before, [...pieces, end], 60);
    expect(ended.ms).toBeGreaterThan(shortened.bodyMs);
    expect([ended.status, ended.body]).toEqual([taken, expect.not.stringContaining("errors")]);
    await app.services.pool.query("delete from software_files");
    await app.services.pool.query("delete from software_builds");
    await app.services.pool.query("delete from bulk_runs");
  });

  test("is answered 408 beyond the time that its size allows for, and leaves nothing", async () => {
    const stored = await storedKeys(app.services.files);
    const ended = await send(head() + before, cut(content, 1_000).slice(0, 500), 30);
    expect(ended.status).toBe(408);
    expect(ended.head).toMatch(/connection: close/i);
    expect(JSON.parse(ended.body)).toEqual(
      path === "/graphql" ? { errors: [{ message: late.Message, extensions: { code: "REQUEST_TIMEOUT" } }] } : late,
    );
    expect(ended.ms).toBeGreaterThan(1_500);
    expect(ended.ms).toBeLessThan(4_500);
    await vi.waitFor(() => expect(spooled(app)).toEqual([]));
    expect(await storedKeys(app.services.files)).toEqual(stored);
    const { rows } = await app.services.pool.query("select id from software_builds union all select id from bulk_runs");
    expect(rows).toEqual([]);
  });

  test("gets no more time than other bodies from somebody without the right", async () => {
    const customer = await signInAs(app, await createUser(app));
    const first = headOf(`POST ${path}`, length, { ...headers, authorization: `Bearer ${customer}` });
    const ended = await send(first + before, cut(content, 1_000).slice(0, 500), 30);
    expect([200, 403]).toContain(ended.status);
    expect(ended.ms).toBeLessThan(1_400);
  });
});
