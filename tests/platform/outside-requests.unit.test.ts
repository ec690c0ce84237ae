import { once } from "node:events";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { createServer as createTlsServer } from "node:https";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { type OutsideOptions, postOutside } from "#api/platform/outside-requests.ts";
import { selfSigned } from "#tests/support/self-signed.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

const receiver = await startReceiver();
const { port } = new URL(receiver.url);
afterAll(() => receiver.close());

beforeEach(() => {
  receiver.posts.length = 0;
  receiver.reply = (response) => response.writeHead(204).end();
});

const post = (url: string, changes: Partial<OutsideOptions> = {}) =>
  postOutside(new URL(url), { "content-type": "application/json" }, '{"a":"é"}', {
    allowsLoopback: true,
    timeoutMs: 2_000,
    bodyCharacters: 1_000,
    ...changes,
  });

const NOWHERE = "The URL leads to no public address.";

describe("posting to an address that a user chose", () => {
  test("sends the text and says what was answered", async () => {
    receiver.reply = (response) => response.writeHead(202, { "content-type": "application/json" }).end('{"ok":true}');
    expect(await post(receiver.url)).toMatchObject({ status: 202, body: '{"ok":true}', failure: null });
    expect(receiver.posts).toMatchObject([{ body: '{"a":"é"}', headers: { "content-length": "10" } }]);
  });

  test("follows no redirect", async () => {
    receiver.reply = (response, { path }) =>
      path === "/moved" ? response.writeHead(302, { location: `${receiver.url}/inside` }).end() : response.end();
    expect(await post(`${receiver.url}/moved`)).toMatchObject({ status: 302, failure: null });
    expect(receiver.posts.map(({ path }) => path)).toEqual(["/moved"]);
  });

  test("waits no longer than its time, for the answer nor for the rest of it", async () => {
    receiver.reply = () => {};
    const silent = await post(receiver.url, { timeoutMs: 200 });
    expect(silent).toMatchObject({ status: null, failure: "There was no whole answer within 0.2 seconds." });
    receiver.reply = (response) => void response.writeHead(200, { "content-type": "text/plain" }).write("and");
    const trickling = await post(receiver.url, { timeoutMs: 200 });
    expect(trickling).toMatchObject({ status: 200, body: "and", failure: expect.stringContaining("no whole answer") });
    expect(trickling.durationMs).toBeLessThan(1_500);
  });

  test("waits no longer for a name server either", async () => {
    const answer = await post("https://hooks.test/", { timeoutMs: 100, resolve: () => new Promise(() => {}) });
    expect(answer).toMatchObject({ status: null, failure: expect.stringContaining("no whole answer") });
  });

  test("reads of a huge answer its beginning alone", async () => {
    let isClosed: (value: boolean) => void = () => {};
    const closed = new Promise<boolean>((resolve) => (isClosed = resolve));
    receiver.reply = (response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = () => void (response.destroyed || (response.write("x".repeat(65_536)), setImmediate(more)));
      response.on("close", () => isClosed(true));
      more();
    };
    const answer = await post(receiver.url);
    expect(answer).toMatchObject({ status: 200, body: "x".repeat(1_000), failure: null });
    expect(await closed).toBe(true);
  });

  test("keeps of an answer plain text alone", async () => {
    receiver.reply = (response) =>
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(Buffer.from("a\0b\x1b[31m\r\nc\u009b\xff", "latin1"));
    expect((await post(receiver.url)).body).toBe("ab[31m\nc\ufffd\ufffd");
    receiver.reply = (response) => response.writeHead(200, { "content-type": "image/png" }).end("PNG");
    expect((await post(receiver.url)).body).toBeNull();
    receiver.reply = (response) => response.writeHead(200, { "content-encoding": "gzip" }).end("text");
    expect((await post(receiver.url)).body).toBeNull();
    receiver.reply = (response) => response.end(`${"x".repeat(999)}😀`);
    expect((await post(receiver.url)).body).toBe("x".repeat(999));
  });

  test("takes nonsense, a cut connection, another protocol and endless headers for failures", async () => {
    const answers: [string, string | RegExp][] = [
      ["SSH-2.0-OpenSSH_9.6\r\n", "The answer was not HTTP."],
      ["HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", /closed before/],
      ["HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "The answer was not HTTP."],
      [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, "The answer was not HTTP."],
      ["", /closed before/],
    ];
    for (const [answer, failure] of answers) {
      const server = createTcpServer((socket) => {
        socket.on("error", () => {});
        socket.once("data", () => socket.end(answer));
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const said = await post(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect.soft(said.failure, answer.slice(0, 30)).toMatch(failure);
      server.close();
    }
  });

  test("says of a machine that does not answer that it could not be reached, and no more", async () => {
    const server = createTcpServer();
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port: closed } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    expect((await post(`http://127.0.0.1:${closed}`)).failure).toBe("No connection could be made.");
  });
});

describe("a name that a user chose", () => {
  const inProduction = (addresses: string[]) =>
    post(`https://hooks.test:${port}/`, { allowsLoopback: false, resolve: async () => addresses });

  test("is not posted to when any of its addresses is inside", async () => {
    for (const addresses of [
      ["127.0.0.1"],
      ["169.254.169.254"],
      ["93.184.215.14", "10.0.0.1"],
      ["::ffff:127.0.0.1"],
      [],
    ])
      expect((await inProduction(addresses)).failure).toBe(NOWHERE);
    expect(receiver.posts).toEqual([]);
  });

  test("of another machine that says it is this one is refused outside production too", async () => {
    const answer = await post(`https://hooks.test:${port}/`, { resolve: async () => ["127.0.0.1"] });
    expect(answer.failure).toBe(NOWHERE);
  });

  test("fails with the same words, whether it is not there, is inside, or cannot be looked up", async () => {
    const fails = async (resolve: () => Promise<string[]>) => (await post("https://hooks.test/", { resolve })).failure;
    expect(await fails(async () => [])).toBe(NOWHERE);
    expect(await fails(async () => ["10.0.0.1"])).toBe(NOWHERE);
    expect(await post("https://10.0.0.1/")).toMatchObject({ status: null, failure: NOWHERE });
  });

  test("is never looked up again on the way: the connection goes to the address that was judged", async () => {
    // No name server and no hosts file knows it; it is judged to be this machine.
    expect(await post(`http://nobody-knows-it.localhost:${port}/`)).toMatchObject({ status: 204, failure: null });
    expect(receiver.posts).toMatchObject([{ headers: { host: `nobody-knows-it.localhost:${port}` } }]);
  });

  test("must have a certificate that the world knows", async () => {
    const server = createTlsServer(selfSigned, (_, response) => response.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const answer = await post(`https://localhost:${(server.address() as AddressInfo).port}`);
    expect(answer).toMatchObject({ status: null, failure: expect.stringContaining("certificate") });
    server.close();
  });
});
