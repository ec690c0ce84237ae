import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import process from "node:process";
import { type PaymentSimulator, startPaymentSimulator } from "#api/dev/payment-simulator/simulator.ts";
import { hashPassword } from "#api/access/sessions/password.ts";
import { createFolder, createPortal, type Portal } from "#tests/operations/servers.ts";
import { type Database, type PostgresServer, startPrimary } from "#tests/operations/postgres.ts";
import { testPassword } from "#tests/factories/user.ts";
import { type Client, createClient } from "./client.ts";

/** The product in use: processes, their database, and a payment provider with its own database. */
export interface Shop {
  readonly portals: readonly Portal[];
  readonly database: Database;
  readonly provider: PostgresServer;
  readonly simulator: PaymentSimulator;
  readonly client: Client;
  /** Returns an access token of staff with a recent proof of identity. */
  getStaffToken(): Promise<string>;
  close(): Promise<void>;
}

const STAFF_EMAIL = "staff@example.com";
/** Access tokens last 10 minutes. */
const TOKEN_AGE_MS = 4 * 60_000;

/** Migrates a database and adds a member of staff, so that the server adds no demo data. */
async function prepareDatabase(bundle: string, database: Database): Promise<void> {
  execFileSync(process.execPath, [join(bundle, "server.js"), "migrate"], {
    env: { ...process.env, NODE_ENV: "development", LOG_LEVEL: "silent", DATABASE_URL: database.url },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await database.run(
    `insert into users (id, confirmation_handle, first_name, last_name, email, sign_in_email, password_hash, mobile,
                        registered_at, email_confirmed_at, member_type, staff_roles)
     values ('${randomUUID()}', '${randomUUID()}', 'Kim', 'Staff', '${STAFF_EMAIL}', '${STAFF_EMAIL}',
             '${await hashPassword(testPassword)}', '-', now(), now(), 3, '{finance}')`,
  );
}

/**
 * Starts the product with processes that share a database.
 * @param environments settings of each process, with its address of the database
 */
export async function openShop(
  bundle: string,
  database: Database,
  environments: readonly Readonly<Record<string, string>>[],
): Promise<Shop> {
  const provider = await startPrimary();
  await prepareDatabase(bundle, database);
  const simulator = await startPaymentSimulator({
    database: { url: provider.url },
    now: () => new Date(),
    catchUpEveryMs: 1_000,
  });
  const env = {
    STRIPE_SECRET_KEY: simulator.secretKey,
    STRIPE_PUBLISHABLE_KEY: simulator.publishableKey,
    STRIPE_WEBHOOK_SECRET: "whsec_kill",
    STRIPE_API_URL: simulator.url,
    RAW_CARDS: "on",
  };
  const dataDir = createFolder();
  const portals: Portal[] = [];
  for (const one of environments) portals.push(await createPortal(bundle, dataDir, { ...env, ...one }));
  for (const portal of portals) await portal.start();
  const [first] = portals as [Portal];
  simulator.webhooks.setTarget({ url: `${first.url}/v1/payments/webhook`, secret: "whsec_kill" });

  let turn = 0;
  const client = createClient(() => (portals[turn++ % portals.length] as Portal).url);
  let staff = { token: Promise.resolve(""), since: -TOKEN_AGE_MS };
  return {
    portals,
    database,
    provider,
    simulator,
    client,
    getStaffToken() {
      if (performance.now() - staff.since >= TOKEN_AGE_MS)
        staff = { token: client.signIn(STAFF_EMAIL), since: performance.now() };
      return staff.token;
    },
    async close() {
      await Promise.all(portals.map((one) => one.stop()));
      await simulator.close();
      await Promise.all([database.stop(), provider.stop()]);
    },
  };
}
