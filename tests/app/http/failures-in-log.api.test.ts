import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, expect, test, vi } from "vitest";
import { createApp } from "#api/app.ts";
import { createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startAppBehindProxy } from "#tests/support/app-behind-proxy.ts";
import { recordLog } from "#tests/support/record-log.ts";

const { app, proxy } = await startAppBehindProxy();
interface Line {
  readonly level: number;
  readonly msg: string;
  readonly failures?: number;
}
const { log, lines } = recordLog<Line>("info");
const server = await createApp({ ...app.services, log });
const downloads = new EventEmitter();
// Like a report that takes long to start.
server.post("/late-download", async ({ raw }, reply) => {
  downloads.emit("requested");
  await once(raw.socket, "close");
  return reply.send(new Readable({ read() {} }));
});
const url = await server.listen({ port: 0, host: "127.0.0.1" });
afterAll(() => server.close());
const user = await createUser(app);
const token = await signInAs(app, user);

test("an outage of the database is logged without stacks, and its lines count the failed requests", async () => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const post = (path: string, body: object) =>
    fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
  const names = { UserName: user.email, Password: testPassword, ClientId: "portal", GrantType: "password" };
  const requests = [
    () => fetch(`${url}/v1/core/accounts/${user.id}/profile/settings`, { headers }),
    () => post("/graphql", { query: "{ me { id } }" }),
    () => post("/v1/core/auth/token", names),
  ];
  for (const request of requests) expect((await request()).status).toBe(200);
  lines.splice(0);
  proxy.set("refuse");
  const rounds = 10;
  for (let round = 0; round < rounds; round++)
    for (const request of requests) expect((await request()).status).toBe(503);
  const findErrors = () => lines.filter(({ level }) => level >= 40);
  const sum = () => findErrors().reduce((total, { failures = 0 }) => total + failures, 0);
  await vi.waitFor(() => expect(sum()).toBe(rounds * requests.length), 5_000);
  proxy.set("pass");
  expect(new Set(findErrors().map(({ msg }) => msg))).toEqual(new Set(["the database is unavailable"]));
  expect(findErrors().length).toBeLessThan(rounds);
  expect(JSON.stringify(lines)).not.toContain("stack");
});

test("a client that leaves before its download starts is no error", async () => {
  lines.splice(0);
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  const head = "host: localhost\r\ncontent-type: application/json\r\ncontent-length: 2";
  const requested = once(downloads, "requested");
  socket.write(`POST /late-download HTTP/1.1\r\n${head}\r\n\r\n{}`);
  await requested;
  socket.destroy();
  await vi.waitFor(() => expect(lines).not.toEqual([]));
  expect(lines).toMatchObject([{ level: 30, msg: "the client closed the connection" }]);
  expect(JSON.stringify(lines)).not.toContain("stack");
});
