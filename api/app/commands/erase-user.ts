import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { readConfig } from "#api/config.ts";
import type { Certificate } from "#api/messaging/mails/templates/account-deleted.tsx";
import { Erasure } from "#api/privacy/erasure/erasure.entity.ts";
import { findErasable, previewErasure } from "#api/privacy/erasure/find-erasable.ts";
import { requestErasure } from "#api/privacy/erasure/request-erasure.ts";
import { runErasure } from "#api/privacy/erasure/run-erasure.ts";
import { createClock, createMovableClock, MINUTE, SECOND } from "#api/platform/clock.ts";
import { type Context, createContext, type Services } from "#api/platform/context.ts";
import { migrate } from "#api/app/database.ts";
import { openOrStartEmbeddedPostgres } from "#api/platform/embedded-postgres.ts";
import { AppError } from "#api/platform/errors.ts";
import { createLog } from "#api/platform/log.ts";
import { closeServices, openServices } from "#api/app/services.ts";

const help = `Erases a user: closes the account at once, removes all personal data, and prints the certificate.

  erase-user --email ADDRESS [--dry-run] [--json]

  --email ADDRESS  the address the user signs in with
  --dry-run        shows whom it would erase and changes nothing
  --json           prints the certificate as JSON
  --help           shows this text

It can't be undone. An interrupted run goes on where it was when you run it again, or when a server runs. The user gets
the certificate by email. The last active admin can't be erased.
`;

/** Sets the movable clock of a process outside production as the developer left it. */
type LoadDevClock = (services: Services) => Promise<void>;

/** Runs `server.js erase-user`. @throws AppError when there is no such user, or for the last active admin. */
export async function eraseUserByEmail(args: readonly string[], loadDevClock: LoadDevClock): Promise<void> {
  const options = readOptions(args);
  if (options.help) return void process.stdout.write(help);
  if (!options.email) throw new AppError("BAD_USER_INPUT", { message: `--email is missing.\n\n${help}` });
  const { email } = options;
  await withContext(loadDevClock, async (context) => {
    const found = await findErasable(context, email);
    if (!found) throw new AppError("NOT_FOUND", { message: `No account has the address ${email}.` });
    if (options["dry-run"]) return print(await previewErasure(context, found), options.json ?? false, describePreview);
    const erasure =
      "erasureId" in found ? { id: found.erasureId } : await requestErasure(context, found.userId, "operator");
    const certificate = await finish(context, erasure.id);
    print(certificate, options.json ?? false, describeCertificate);
  });
}

function readOptions(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        email: { type: "string" },
        "dry-run": { type: "boolean" },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    throw new AppError("BAD_USER_INPUT", { message: `${(error as Error).message}\n\n${help}` });
  }
}

/** Waits no longer than this for another worker; one that was killed lets go of the erasure with its connection. */
const BUSY_FOR_MS = 5 * MINUTE;

async function finish(context: Context, erasureId: string): Promise<Certificate> {
  let busyMs = 0;
  for (;;) {
    const end = await runErasure(context, erasureId, { onBatch: ({ part, rows }) => tell(`${part}: ${rows} rows`) });
    if (end === "done") break;
    if (end === "more") busyMs = 0;
    else if ((busyMs += SECOND) > BUSY_FOR_MS)
      throw new AppError("UNAVAILABLE", { message: "Another process is running this erasure. Try again later." });
    else await sleep(SECOND);
  }
  const { certificate } = await context.em.fork().findOneOrFail(Erasure, erasureId);
  if (!certificate) throw new AppError("INTERNAL");
  return certificate;
}

/** Progress goes to standard error, so that standard output is the certificate alone. */
function tell(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${line}\n`);
}

function print<Result>(result: Result, asJson: boolean, describe: (result: Result) => string): void {
  process.stdout.write(asJson ? `${JSON.stringify(result, null, 2)}\n` : describe(result));
}

function describeCertificate({ id, requestedAt, finishedAt, emailHash, erased, kept }: Certificate): string {
  const lines = [
    `Certificate of erasure ${id}`,
    `Requested ${requestedAt}, finished ${finishedAt}`,
    `Email hash ${emailHash ?? "unknown"}`,
    "",
    "Erased:",
    ...erased.filter(({ rows }) => rows > 0).map(({ title, effect, rows }) => `  ${title}: ${rows} ${effect}`),
    "",
    "Kept:",
    ...kept.filter(({ rows }) => rows > 0).map(({ title, rows, reason }) => `  ${title}: ${rows}. ${reason}`),
  ];
  return `${lines.join("\n")}\n`;
}

function describePreview(preview: Awaited<ReturnType<typeof previewErasure>>): string {
  const { userId, state, licences, licenceEvents, taxInvoices } = preview;
  return `Dry run, nothing was changed.
User ${userId}, ${state}: ${licences} licences, about ${licenceEvents} licence events, ${taxInvoices} tax invoices (kept).
`;
}

/** Opens the database that the settings name; the embedded one also while a server uses it. */
async function withContext(loadDevClock: LoadDevClock, work: (context: Context) => Promise<void>): Promise<void> {
  const config = readConfig();
  const log = createLog(config);
  mkdirSync(config.dataDir, { recursive: true });
  const embedded = config.databaseUrl
    ? null
    : await openOrStartEmbeddedPostgres({ dataDir: join(config.dataDir, "postgres") });
  const address = embedded
    ? {
        host: embedded.host,
        port: embedded.port,
        user: embedded.user,
        password: embedded.password,
        dbName: embedded.database,
      }
    : { url: config.databaseUrl ?? "" };
  try {
    await migrate(address);
    const clock = config.production ? createClock() : createMovableClock();
    // An erasure asks nothing of the payment provider: the server's jobs do.
    const services = await openServices(
      config,
      address,
      { log, clock },
      { jobs: { polling: false }, ...(config.stripe ? {} : { payments: {} as never }) },
    );
    try {
      if (!config.production) await loadDevClock(services);
      await work(createContext(services, { origin: { requestId: "erase-user" } }));
    } finally {
      await closeServices(services);
    }
  } finally {
    await embedded?.stop();
  }
}
