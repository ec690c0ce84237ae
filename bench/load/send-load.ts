import { readFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";
import type { CountedResult, Load } from "./load.ts";

/**
 * Load generator script. It sends the load described by its argument over open connections, one request at a time on each, reads
 * every response and prints a line of JSON. When the time is up or the number of requests is reached, it waits for the remaining
 * responses, so that all of them are counted.
 */
interface Order extends Load {
  readonly requests?: number;
  readonly seconds?: number;
  /** Text a correct response contains. */
  readonly expected: string;
}

const order = JSON.parse(process.argv[2] ?? "{}") as Order;
const requests = readFileSync(order.file, "utf8")
  .split("\n")
  .filter((body) => body !== "")
  .map((body) => {
    const lines = [
      `POST ${order.path} HTTP/1.1`,
      "host: 127.0.0.1",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      ...(order.authorization ? [`authorization: ${order.authorization}`] : []),
    ];
    return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
  });

let next = Math.floor(Math.random() * requests.length);
let sent = 0;
let errors = 0;
let asExpected = 0;
const times: number[] = [];
const started = performance.now();
const isFinished = () =>
  sent >= (order.requests ?? Number.POSITIVE_INFINITY) ||
  performance.now() - started >= (order.seconds ?? Number.POSITIVE_INFINITY) * 1_000;

await Promise.all(Array.from({ length: order.connections }, sendRepeatedly));
const seconds = (performance.now() - started) / 1_000;
times.sort((a, b) => a - b);
const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
const result: Omit<CountedResult, "warmUps"> = {
  requests: times.length,
  seconds,
  errors,
  asExpected,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

/** Sends requests on one connection, each after the response to the previous one. */
function sendRepeatedly(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
    let received: Buffer = Buffer.alloc(0);
    let sentAt = 0;
    let isWaiting = false;
    const sendNext = () => {
      if (isFinished()) return socket.end();
      sent++;
      isWaiting = true;
      sentAt = performance.now();
      socket.write(requests[next++ % requests.length] ?? "");
    };
    socket.on("connect", sendNext);
    socket.on("data", (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = readAnswer(received);
      if (!answer) return;
      received = Buffer.alloc(0);
      isWaiting = false;
      times.push(performance.now() - sentAt);
      if (answer.status < 200 || answer.status >= 300) errors++;
      else if (answer.body.includes(order.expected)) asExpected++;
      sendNext();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isWaiting) errors++;
      resolve();
    });
  });
}

/** Parses an HTTP response with a content-length header. Returns null if it is incomplete. */
function readAnswer(bytes: Buffer): { status: number; body: string } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`Response without content-length: ${head.split("\r\n")[0]}`);
  if (bytes.length < end + 4 + Number(length)) return null;
  return { status: Number(head.slice(9, 12)), body: bytes.toString("utf8", end + 4) };
}
