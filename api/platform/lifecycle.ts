import type { FastifyInstance } from "fastify";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Message of a worker that serves calls, to the process that started it. */
export const SERVING = "serving";

/** Message to a worker that another one has replaced. */
export const REPLACED = "replaced";

/**
 * Phase of a process. It receives traffic only while it is serving. A leaving process ends as a draining one does, but
 * stays ready, because its replacement answers on the same port.
 */
export type Phase = "starting" | "serving" | "draining" | "leaving";

/** The phase of a process, which `/health/ready` reports. */
export interface Lifecycle {
  readonly phase: Phase;
  /** True once the process has been serving, also while it drains. */
  readonly hasStarted: boolean;
  /** Starts serving calls. Has no effect on a process that is already draining. */
  serve(): void;
  /** Stops being ready. Calls are still served. */
  drain(): void;
  /** Ends like {@link Lifecycle.drain}, but stays ready. */
  leave(): void;
}

/** Creates the lifecycle of a process that is starting. */
export function createLifecycle(): Lifecycle {
  let phase: Phase = "starting";
  let hasStarted = false;
  return {
    get phase() {
      return phase;
    },
    get hasStarted() {
      return hasStarted;
    },
    serve() {
      if (phase !== "starting") return;
      phase = "serving";
      hasStarted = true;
    },
    drain() {
      phase = "draining";
    },
    leave() {
      phase = "leaving";
    },
  };
}

/** Time that clients have to read responses once the process is stopping, in milliseconds. */
export const STOP_WAIT_MS = 3_000;

/**
 * Makes a stopping server wait only for responses in progress. Node closes connections that are idle when it stops, but
 * waits for connections that become idle later, connections that were never used (browsers open them in advance), and
 * clients that stop reading a file. Clients that are cut off can resume with another process.
 */
export function drainOnStop(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  const answers = new Set<ServerResponse>();
  let isStopping = false;
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }, answer) => {
    unused.delete(socket);
    answers.add(answer);
    answer.once("close", () => answers.delete(answer));
    answer.once("finish", () => isStopping && socket.destroySoon());
  });
  app.addHook("preClose", (done) => {
    isStopping = true;
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => {
      // Incomplete requests are closed, too. Responses that haven't started are still being processed.
      for (const socket of unused) socket.destroy();
      for (const answer of answers) if (answer.headersSent) answer.destroy();
    }, STOP_WAIT_MS).unref();
    done();
  });
}
