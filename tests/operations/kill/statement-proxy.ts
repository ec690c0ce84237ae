import { createConnection, createServer, type Socket } from "node:net";

/** Moments of a write at which {@link StatementProxy.stopAt} stops its connection. */
export const proxyMoments = ["before the write", "after the write", "before the commit", "after the commit"] as const;
export type ProxyMoment = (typeof proxyMoments)[number];

/** Proxy for PostgreSQL connections that stops a connection at a moment of a transaction, so that a test can kill its process. */
export interface StatementProxy {
  readonly port: number;
  /** Stops the connection that first runs a statement that contains `text`, at the moment. Resolves when it is stopped. */
  stopAt(text: string, moment: ProxyMoment): Promise<void>;
  close(): void;
}

interface Target {
  readonly text: string;
  readonly moment: ProxyMoment;
  readonly reached: () => void;
}

interface Message {
  readonly type: string;
  readonly body: Buffer;
}

/** Returns a function that splits a stream into PostgreSQL messages. A client's first message has no type. */
function createReader(hasStartup: boolean): (chunk: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0);
  let isStartup = hasStartup;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const start = isStartup ? 0 : 1;
      if (rest.length < start + 4) return messages;
      const end = start + rest.readInt32BE(start);
      if (rest.length < end) return messages;
      messages.push({ type: isStartup ? "" : String.fromCharCode(rest[0] ?? 0), body: rest.subarray(start + 4, end) });
      rest = rest.subarray(end);
      isStartup = false;
    }
  };
}

/** Returns a function that gives the SQL text of a client's message; undefined for messages without one. */
function createTextReader(): (message: Message) => string | undefined {
  const prepared = new Map<string, string>();
  return ({ type, body }) => {
    const [first = "", second = ""] = body.toString("latin1").split("\0", 2);
    if (type === "Q") return first;
    if (type === "P") prepared.set(first, second);
    if (type === "P") return second;
    return type === "B" ? prepared.get(second) : undefined;
  };
}

/** Starts a proxy on loopback in front of the PostgreSQL server on a port. */
export async function startStatementProxy(postgresPort: number): Promise<StatementProxy> {
  let target: Target | null = null;
  const sockets = new Set<Socket>();

  const connect = (client: Socket): void => {
    const upstream = createConnection({ host: "127.0.0.1", port: postgresPort });
    const readClient = createReader(true);
    const readServer = createReader(false);
    const readText = createTextReader();
    let isStopped = false;
    let writtenTarget: Target | null = null;
    let stopsAtResponse: Target | null = null;

    const stop = ({ reached }: Target): void => {
      isStopped = true;
      target = null;
      reached();
    };
    /** Returns whether the message may pass. */
    const examine = (message: Message): boolean => {
      const text = readText(message);
      if (!target || text === undefined) return true;
      const { moment } = target;
      if (writtenTarget !== target && text.includes(target.text)) {
        writtenTarget = target;
        if (moment === "before the write") stop(target);
        if (moment === "after the write") stopsAtResponse = target;
      } else if (writtenTarget === target && /^commit\b/i.test(text)) {
        if (moment === "before the commit") stop(target);
        if (moment === "after the commit") stopsAtResponse = target;
      }
      return !isStopped;
    };
    client.on("data", (chunk: Buffer) => {
      if (isStopped) return;
      if (readClient(chunk).every(examine)) upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (isStopped) return;
      const isReady = readServer(chunk).some(({ type }) => type === "Z");
      if (stopsAtResponse && isReady) stop(stopsAtResponse);
      else client.write(chunk);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  };

  const server = createServer(connect);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    stopAt(text, moment) {
      return new Promise((resolve) => {
        target = { text, moment, reached: resolve };
      });
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
