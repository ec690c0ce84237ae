import { readFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";
import type { CountedResult, Load } from "./load.ts";

/**
 * A load generator as a process: sends what its argument says over connections that are kept open, one request at a
 * time on each, reads every answer and prints a line of JSON. After the time, or when enough were sent, it waits for
 * the answers that are still to come, so that not one is left uncounted.
 */
interface Order extends Load {
  readonly requests?: number;
  readonly seconds?: number;
  /** Text that a right answer holds. */
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
const took: number[] = [];
const started = performance.now();
const isOver = () =>
  sent >= (order.requests ?? Number.POSITIVE_INFINITY) ||
  performance.now() - started >= (order.seconds ?? Number.POSITIVE_INFINITY) * 1_000;

await Promise.all(Array.from({ length: order.connections }, keepAsking));
const seconds = (performance.now() - started) / 1_000;
took.sort((a, b) => a - b);
const percentile = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
const result: Omit<CountedResult, "warmUps"> = {
  requests: took.length,
  seconds,
  errors,
  asExpected,
  p50Ms: percentile(0.5),
  p99Ms: percentile(0.99),
};
process.stdout.write(`${JSON.stringify(result)}\n`);

/** One connection: the next request follows the answer to the last. */
function keepAsking(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: order.port, host: "127.0.0.1", noDelay: true });
    let gathered: Buffer = Buffer.alloc(0);
    let askedAt = 0;
    let isWaiting = false;
    const ask = () => {
      if (isOver()) return socket.end();
      sent++;
      isWaiting = true;
      askedAt = performance.now();
      socket.write(requests[next++ % requests.length] ?? "");
    };
    socket.on("connect", ask);
    socket.on("data", (chunk) => {
      gathered = gathered.length === 0 ? chunk : Buffer.concat([gathered, chunk]);
      const answer = readAnswer(gathered);
      if (!answer) return;
      gathered = Buffer.alloc(0);
      isWaiting = false;
      took.push(performance.now() - askedAt);
      if (answer.status < 200 || answer.status >= 300) errors++;
      else if (answer.body.includes(order.expected)) asExpected++;
      ask();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      if (isWaiting) errors++;
      resolve();
    });
  });
}

/** An HTTP answer with its length in a header, or null when it is not all there. */
function readAnswer(bytes: Buffer): { status: number; body: string } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = bytes.toString("latin1", 0, end);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`An answer without its length: ${head.split("\r\n")[0]}`);
  if (bytes.length < end + 4 + Number(length)) return null;
  return { status: Number(head.slice(9, 12)), body: bytes.toString("utf8", end + 4) };
}
