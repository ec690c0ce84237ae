import type { FastifyInstance } from "fastify";
import { receiveNotice } from "#api/selling/subscriptions/receive-notice.ts";
import { createContext, type Services } from "#api/platform/context.ts";

/** Where the payment provider sends its notices; `docs/operations.md` says how to set it up there. */
export const paymentsWebhookPath = "/v1/payments/webhook";

/** Larger notices than this are refused. */
const LIMIT_BYTES = 1_000_000;

/**
 * Takes the payment provider's notices. It stands beside the routes of `/v1` because the signature is over the bytes
 * of the body, which nobody may have parsed before; the signature is its only credential.
 */
export function servePaymentsWebhook(app: FastifyInstance, services: Services): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: LIMIT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(paymentsWebhookPath, { bodyLimit: LIMIT_BYTES }, async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const signature = request.headers["stripe-signature"];
      const context = createContext(services, {
        origin: { requestId: request.id, ip: request.ip, userAgent: request.headers["user-agent"] ?? "" },
      });
      await receiveNotice(context, body, typeof signature === "string" ? signature : "");
      return reply.type("application/json; charset=utf-8").send(JSON.stringify({ received: true }));
    });
  });
}
