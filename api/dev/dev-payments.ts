import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { paymentsWebhookPath } from "#api/v1/payments-webhook.ts";
import type { Clock } from "#api/platform/clock.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { startPaymentSimulator } from "./payment-simulator/simulator.ts";

const webhookSecret = "whsec_simulator";

/** Interval at which the simulator checks for due renewals and payments, in milliseconds of the machine's time. */
const POLL_MS = 1_000;

/** Payments without a real provider. The product calls the simulator exactly as it would call the provider. */
export type DevPayments = Awaited<ReturnType<typeof startDevPayments>>;

/** Starts the payment simulator in a separate schema of the product's database. Never used in production. */
export async function startDevPayments(
  address: DatabaseAddress,
  { clock, log }: { clock: Clock; log: Logger },
  { polling = true } = {},
) {
  let past: Date | null = null;
  const simulator = await startPaymentSimulator({
    database: address,
    now: () => past ?? clock.now(),
    ...(polling ? { catchUpEveryMs: POLL_MS } : {}),
    log,
  });
  const { secretKey, publishableKey, url: simulatorUrl } = simulator;
  return {
    simulator,
    payments: createStripePayments({
      secretKey,
      webhookSecret,
      url: simulatorUrl,
      cardEntry: { kind: "simulator", publishableKey },
    }),
    /** Sends the simulator's webhooks to the product, which must be listening at `url`. */
    sendWebhooksTo: (url: string): void =>
      simulator.webhooks.setTarget({ url: url + paymentsWebhookPath, secret: webhookSecret }),
    /** Sets only the simulator's clock, to a moment in the past; null makes it follow the application's clock again. */
    setTime: (moment: Date | null): void => {
      past = moment;
    },
    close: () => simulator.close(),
  };
}

/**
 * Path under which the browser reaches the simulator. The product's port may be the only one that the browser can
 * reach.
 */
const publicPath = "/dev/payments";

/**
 * Forwards the browser's requests (card fields, bank authentication) to the simulator unchanged. With a real provider,
 * the browser sends them directly to the provider.
 */
export function servePaymentSimulator(app: FastifyInstance, devPayments: Pick<DevPayments, "simulator">): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    const forward = async (request: FastifyRequest, reply: FastifyReply) => {
      const path = request.url.slice(publicPath.length);
      const body = typeof request.body === "string" ? request.body : "";
      const response = await devPayments.simulator.publicFetch(request.method, path, body);
      return reply.code(response.status).type("application/json; charset=utf-8").send(response.body);
    };
    scope.get(`${publicPath}/*`, forward);
    scope.post(`${publicPath}/*`, forward);
  });
}
