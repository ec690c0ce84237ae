import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { paymentsWebhookPath } from "#api/v1/payments-webhook.ts";
import type { Clock } from "#api/platform/clock.ts";
import type { DatabaseAddress } from "#api/platform/database.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import { createStripePayments } from "#api/platform/payments/stripe-payments.ts";
import { type PaymentSimulator, startPaymentSimulator } from "./payment-simulator/simulator.ts";

const keys = {
  secretKey: "sk_test_simulator",
  publishableKey: "pk_test_simulator",
  webhookSecret: "whsec_simulator",
} as const;

/** How often the simulator looks what has come due, in milliseconds of the machine's time. */
const LOOK_MS = 1_000;

/** Payments without a provider: the product talks to the simulator as it would to the provider. */
export interface DevPayments {
  readonly payments: Payments;
  readonly simulator: PaymentSimulator;
  /** Sends the simulator's notices to the product, once that listens at `url`. */
  readonly sendWebhooksTo: (url: string) => void;
  /** Puts the simulator, and it alone, back to a moment; null brings it to the application's clock again. */
  readonly setTime: (moment: Date | null) => void;
  close(): Promise<void>;
}

/** Starts the payment simulator on the product's database, in a schema of its own. Outside production only. */
export async function startDevPayments(
  address: DatabaseAddress,
  { clock, log }: { clock: Clock; log: Logger },
  { polling = true } = {},
): Promise<DevPayments> {
  const { secretKey, publishableKey } = keys;
  let past: Date | null = null;
  const simulator = await startPaymentSimulator({
    database: address,
    now: () => past ?? clock.now(),
    secretKey,
    publishableKey,
    ...(polling ? { catchUpEveryMs: LOOK_MS } : {}),
    log,
  });
  return {
    simulator,
    payments: createStripePayments({
      ...keys,
      url: simulator.url,
      cardEntry: { kind: "simulator", publishableKey: keys.publishableKey },
    }),
    sendWebhooksTo(url) {
      simulator.webhooks.setTarget({ url: url + paymentsWebhookPath, secret: keys.webhookSecret });
    },
    setTime(moment) {
      past = moment;
    },
    close: () => simulator.close(),
  };
}

/** Where the browser reaches the simulator: this one port may be all that it sees of the machine. */
const publicPath = "/dev/payments";

/**
 * Hands the browser's calls (card fields, the bank's question) on to the simulator as they come. The product does not
 * look into them: with a provider they go to the provider's own address.
 */
export function servePaymentSimulator(app: FastifyInstance, simulator: PaymentSimulator): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    const relay = async (request: FastifyRequest, reply: FastifyReply) => {
      const answer = await simulator.publicFetch(
        request.method,
        request.url.slice(publicPath.length),
        typeof request.body === "string" ? request.body : "",
        { "content-type": String(request.headers["content-type"] ?? "") },
      );
      return reply.code(answer.status).type("application/json; charset=utf-8").send(answer.body);
    };
    scope.get(`${publicPath}/*`, relay);
    scope.post(`${publicPath}/*`, relay);
  });
}
