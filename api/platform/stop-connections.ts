import type { FastifyInstance } from "fastify";
import type { Socket } from "node:net";
import { STOP_WAIT_MS } from "./stop-wait.ts";

/**
 * Lets a server that stops wait for its answers under way and for nothing else. Of itself Node closes connections that
 * are idle when it stops; those that become idle a moment later, and those over which nothing was ever asked, as browsers
 * open them beforehand, it would wait for until they run out.
 */
export function stopWithAnswers(app: FastifyInstance): void {
  const unused = new Set<Socket>();
  let isStopping = false;
  const closeUnused = () => {
    for (const socket of unused) if (socket.bytesRead === 0) socket.destroy();
  };
  app.server.on("connection", (socket: Socket) => {
    unused.add(socket);
    socket.once("close", () => unused.delete(socket));
  });
  app.server.on("request", ({ socket }, response) => {
    unused.delete(socket);
    response.once("finish", () => isStopping && socket.destroySoon());
  });
  app.addHook("preClose", (done) => {
    isStopping = true;
    closeUnused();
    // Those that came between this and the end of listening.
    setTimeout(closeUnused, STOP_WAIT_MS).unref();
    done();
  });
}
