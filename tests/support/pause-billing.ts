import { writeSync } from "node:fs";
import process from "node:process";
import pg from "pg";
import { pino } from "pino";
import { openServices } from "#api/app/services.ts";
import { acceptQuote } from "#api/billing/quotes/accept-quote.ts";
import { recordPayment } from "#api/billing/payments/record-payment.ts";
import { createMovableClock } from "#api/platform/clock.ts";
import type { Config } from "#api/platform/config.ts";
import { createContext } from "#api/platform/context.ts";
import type { DatabaseAddress } from "#api/platform/database/database.ts";
import type { Payments } from "#api/platform/payments/payments.ts";
import type { ReceivedPaymentValues } from "#schema/manual-invoice.ts";

/** Action to run, and the SQL statement after which the process stops. */
export interface PausedBilling {
  readonly database: DatabaseAddress;
  readonly config: Config;
  /** Start of the statement in lower case, without quotes. */
  readonly statement: string;
  readonly payment?: { invoiceId: string; values: ReceivedPaymentValues; key: string; expected: number };
  readonly quoteToken?: string;
}

/**
 * Process that records a payment or accepts a quote (as JSON), prints a line after the first statement that starts with
 * `statement`, and stops there until tests kill it.
 */
const { database, config, statement, payment, quoteToken } = JSON.parse(process.argv[2] ?? "") as PausedBilling;

const given = { log: pino({ level: "silent" }), clock: createMovableClock() };
const services = await openServices(config, database, given, { payments: {} as Payments, jobs: { polling: false } });

type Query = (this: pg.Client, ...values: unknown[]) => unknown;
const client = pg.Client.prototype as unknown as { query: Query };
const run = client.query;
client.query = function stopAfterStatement(...values) {
  const [sent] = values as [string | { text?: string }];
  const text = typeof sent === "string" ? sent : (sent.text ?? "");
  const result = run.apply(this, values);
  if (!text.toLowerCase().replaceAll('"', "").startsWith(statement)) return result;
  return Promise.resolve(result).then(() => {
    writeSync(1, "stopped\n");
    return new Promise(() => {});
  });
};
// A pending promise alone doesn't keep the process alive.
setInterval(() => {}, 1_000);
const context = createContext(services);
if (payment) await recordPayment(context, payment.invoiceId, payment.values, payment);
if (quoteToken) await acceptQuote(context, quoteToken, { name: "Ada Bell", role: "Finance Manager" });
