import type { FastifyInstance } from "fastify";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** How long files may go on being read once the process is to stop; a reader that stalls must not keep it running. */
export const STOP_WAIT_MS = 3_000;

/**
 * Lets a server that stops wait for its answers under way and for nothing else. Of itself Node closes connections that
 * are idle when it stops; those that become idle a moment later, those over which nothing was ever asked, as browsers
 * open them beforehand, and readers that stall in the middle of a file, it would wait for until they run out. Whoever is
 * cut off while reading asks again elsewhere.
 */
export function stopWithAnswers(app: FastifyInstance): void {
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
      // Half a request, too, had its time. An answer that has not begun is still being worked out.
      for (const socket of unused) socket.destroy();
      for (const answer of answers) if (answer.headersSent) answer.destroy();
    }, STOP_WAIT_MS).unref();
    done();
  });
}
