import type { FastifyReply, FastifyRequest } from "fastify";

/** How long a connection may stand still, in milliseconds; tests shorten them. A slow one that goes on is let be. */
export const idleLimits = {
  /** While a body arrives. */
  bodyMs: 60_000,
  /** While an answer is sent; the system notices within twice this. */
  answerMs: 60_000,
};

/** Breaks a request off of whose body nothing comes any more. What takes long after the body has come is not meant. */
export function limitIdleBody({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.setTimeout(idleLimits.bodyMs, () => raw.destroy());
  raw.once("end", () => {
    // Once it is answered, the connection waits for the next request, with a limit of its own.
    if (!reply.raw.writableFinished) raw.socket.setTimeout(0);
  });
}

/** Breaks an answer off of which its reader takes nothing any more. */
export function limitIdleAnswer({ raw }: FastifyReply): void {
  raw.setTimeout(idleLimits.answerMs, () => raw.destroy());
}
