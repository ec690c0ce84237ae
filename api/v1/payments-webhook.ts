import type { FastifyInstance } from "fastify";
import { receiveProviderEvent } from "#api/billing/subscriptions/receive-provider-event.ts";
import { createContext, type Services } from "#api/platform/context.ts";

/** Path to which the payment provider sends events. `docs/operations.md` explains the setup at the provider. */
export const paymentsWebhookPath = "/v1/payments/webhook";

/** Maximum size of an event in bytes. */
const LIMIT_BYTES = 1_000_000;

/**
 * Receives events from the payment provider. Registered separately from the other routes of `/v1`, because the signature
 * covers the raw bytes of the body. The signature is the only authentication.
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
      await receiveProviderEvent(context, body, typeof signature === "string" ? signature : "");
      return reply.type("application/json; charset=utf-8").send(JSON.stringify({ received: true }));
    });
  });
}
