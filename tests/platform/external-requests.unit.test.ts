import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, test, beforeEach } from "vitest";
import { isPublicAddress, explainUrlRefusal } from "#api/platform/http/external-addresses.ts";
import { type ExternalRequestOptions, postToExternalUrl } from "#api/platform/http/external-requests.ts";
import { findFreePort } from "#tests/support/free-port.ts";
import { listenLocally } from "#tests/support/listen-locally.ts";
import { selfSigned, withoutIssuer } from "#tests/support/self-signed.ts";
import { startReceiver } from "#tests/support/webhook-receiver.ts";

describe("isPublicAddress", () => {
  test.each([
    ["this network", ["0.0.0.0", "0.1.2.3"]],
    ["private", ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"]],
    ["loopback", ["127.0.0.1", "127.255.255.255", "::1"]],
    ["link-local and metadata", ["169.254.169.254", "169.254.0.1", "fe80::1", "fd00:ec2::254", "192.0.0.192"]],
    ["carrier-grade NAT", ["100.64.0.1", "100.100.100.200", "100.127.255.255"]],
    ["a cloud's wire server", ["168.63.129.16"]],
    ["multicast and broadcast", ["224.0.0.1", "239.255.255.255", "255.255.255.255", "ff02::1"]],
    ["documentation and benchmarks", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "2001:db8::1"]],
    [
      "mapped and tunnelled",
      ["::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "2002:a00:1::1", "2001:0:a00:1::1"],
    ],
    ["unique local", ["fc00::1", "fdff::1"]],
    ["invalid", ["::", "", "localhost", "10.0.0", "1.2.3.4.5", "fe80::1%eth0"]],
  ])("rejects addresses of the kind '%s'", (_, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  test("accepts all other addresses, including those next to the rejected ranges", () => {
    const edges = ["9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0"];
    const others = ["1.1.1.1", "169.253.255.255", "223.255.255.255", "2606:4700:4700::1111", "2a00:1450::1"];
    expect([...edges, ...others].filter((address) => !isPublicAddress(address))).toEqual([]);
  });
});

describe("explainUrlRefusal", () => {
  const refusal = (url: string, allowsLoopback = false) => explainUrlRefusal(new URL(url), allowsLoopback);

  const notPublic = `127.0.0.1/ 2130706433/ 0x7f.1/ 0177.0.0.1/ [::1]/ [::ffff:127.0.0.1]/ [::ffff:a00:1]/ localhost/
    api.localhost/ localhost./ 169.254.169.254/latest/meta-data 10.1.2.3:8443/`.split(/\s+/);

  test.each(notPublic)("rejects https://%s, which isn't public", (place) => {
    expect(refusal(`https://${place}`)).toBe("URL must lead to a public address.");
  });

  test("requires https on port 443 or on a port from 1024 up", () => {
    expect(refusal("http://example.com/")).toBe("URL must start with https://.");
    expect(refusal("https://example.com:25/")).toBe("Port must be 443, or 1024 and above.");
    expect([refusal("https://example.com/"), refusal("https://example.com:8443/hooks?x=1")]).toEqual([null, null]);
  });

  test("allows this machine outside production, but never other internal machines", () => {
    for (const url of ["http://localhost:3000/", "http://127.0.0.1:80/", "https://[::1]:1/"]) {
      expect(refusal(url, true)).toBeNull();
      expect(refusal(url, false)).not.toBeNull();
    }
    for (const url of [
      "https://10.0.0.1/",
      "https://[::ffff:127.0.0.1]/",
      "http://192.168.0.1/",
      "http://example.com/",
    ])
      expect(refusal(url, true)).not.toBeNull();
  });
});

describe("external requests", async () => {
  const receiver = await startReceiver();
  const { port } = new URL(receiver.url);

  beforeEach(() => {
    receiver.posts.length = 0;
    receiver.reply = (response) => response.writeHead(204).end();
  });

  const post = (url: string, changes: Partial<ExternalRequestOptions> = {}) =>
    postToExternalUrl(new URL(url), { "content-type": "application/json" }, '{"a":"é"}', {
      allowsLoopback: true,
      timeoutMs: 2_000,
      bodyCharacters: 1_000,
      ...changes,
    });

  describe("a request to a URL chosen by a user", () => {
    test("sends the text and returns the response", async () => {
      receiver.reply = (response) => response.writeHead(202, { "content-type": "application/json" }).end('{"ok":true}');
      expect(await post(receiver.url)).toMatchObject({ status: 202, body: '{"ok":true}', failure: null });
      expect(receiver.posts).toMatchObject([{ body: '{"a":"é"}', headers: { "content-length": "10" } }]);
    });

    test("doesn't follow redirects", async () => {
      receiver.reply = (response, { path }) =>
        path === "/moved" ? response.writeHead(302, { location: `${receiver.url}/inside` }).end() : response.end();
      expect(await post(`${receiver.url}/moved`)).toMatchObject({ status: 302, failure: null });
      expect(receiver.posts.map(({ path }) => path)).toEqual(["/moved"]);
    });

    test("times out without a response and during a response", async () => {
      receiver.reply = () => {};
      const silent = await post(receiver.url, { timeoutMs: 200 });
      expect(silent).toMatchObject({ status: null, failure: "There was no complete response within 0.2 seconds." });
      receiver.reply = (response) => void response.writeHead(200, { "content-type": "text/plain" }).write("and");
      const trickling = await post(receiver.url, { timeoutMs: 200 });
      expect(trickling).toMatchObject({
        status: 200,
        body: "and",
        failure: expect.stringContaining("no complete response"),
      });
      expect(trickling.durationMs).toBeLessThan(1_500);
    });

    test("times out during the DNS lookup", async () => {
      const answer = await post("https://hooks.test/", { timeoutMs: 100, resolve: () => new Promise(() => {}) });
      expect(answer).toMatchObject({ status: null, failure: expect.stringContaining("no complete response") });
    });

    test("reads only the beginning of a huge response", async () => {
      let isClosed: (value: boolean) => void = () => {};
      const closed = new Promise<boolean>((resolve) => (isClosed = resolve));
      receiver.reply = (response) => {
        response.writeHead(200, { "content-type": "text/plain" });
        const more = () => void (response.destroyed || (response.write("x".repeat(65_536)), setImmediate(more)));
        response.on("close", () => isClosed(true));
        more();
      };
      expect(await post(receiver.url)).toMatchObject({ status: 200, body: "x".repeat(1_000), failure: null });
      expect(await closed).toBe(true);
    });

    test("keeps only the plain text of a response", async () => {
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

    test("reports invalid HTTP, closed connections, other protocols and endless headers as failures", async () => {
      const answers: [string, string | RegExp][] = [
        ["SSH-2.0-OpenSSH_9.6\r\n", "The response wasn't valid HTTP."],
        ["HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", /closed before/],
        ["HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "The response wasn't valid HTTP."],
        [`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`, "The response wasn't valid HTTP."],
        ["", /closed before/],
      ];
      for (const [answer, failure] of answers) {
        const server = createTcpServer((socket) => {
          socket.on("error", () => {});
          socket.once("data", () => socket.end(answer));
        });
        const said = await post(`http://127.0.0.1:${await listenLocally(server)}`);
        expect.soft(said.failure, answer.slice(0, 30)).toMatch(failure);
      }
    });

    test("reports an unreachable server without details", async () => {
      expect((await post(`http://127.0.0.1:${await findFreePort()}`)).failure).toBe(
        "No connection could be established.",
      );
    });
  });

  describe("a host name chosen by a user", () => {
    test("is rejected with the same message if an address of it is internal, or it doesn't exist", async () => {
      const refused = { status: null, failure: "The URL doesn't lead to a public address." };
      const internal = [["127.0.0.1"], ["169.254.169.254"], ["93.184.215.14", "10.0.0.1"], ["::ffff:127.0.0.1"], []];
      for (const addresses of internal)
        for (const allowsLoopback of [true, false]) {
          const options = { allowsLoopback, resolve: async () => addresses };
          expect(await post(`https://hooks.test:${port}/`, options)).toMatchObject(refused);
        }
      expect(await post("https://10.0.0.1/")).toMatchObject(refused);
      expect(receiver.posts).toEqual([]);
    });

    test("isn't resolved again: the connection uses the checked address", async () => {
      // DNS and the hosts file don't know this name. The check maps it to this machine.
      expect(await post(`http://nobody-knows-it.localhost:${port}/`)).toMatchObject({ status: 204, failure: null });
      expect(receiver.posts).toMatchObject([{ headers: { host: `nobody-knows-it.localhost:${port}` } }]);
    });

    test.each([
      ["self-signed", selfSigned],
      ["sent without its issuer", withoutIssuer],
    ])("fails if the server's certificate is %s", async (_, certificate) => {
      const server = createTlsServer(certificate, (_request, response) => response.end());
      const answer = await post(`https://localhost:${await listenLocally(server)}`);
      expect(answer).toMatchObject({ status: null, failure: expect.stringContaining("certificate") });
    });
  });
});
