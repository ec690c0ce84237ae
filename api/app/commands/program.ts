import { availableParallelism } from "node:os";
import { Command, InvalidArgumentError, Option } from "commander";
import type { LoadDevClock } from "./open-command.ts";
import { isUuid } from "#api/platform/validate.ts";
import { keyRings } from "#api/platform/keys/key-files.ts";

/** Parts of the server and its development tools, which `server.ts` passes to the program. */
interface CommandHost {
  /** Serves the product until the process receives a signal: in one process, or with workers that share the port. */
  readonly serve: (workers?: number) => Promise<void>;
  /** Never called in production. */
  readonly loadDevClock: LoadDevClock;
}

const jsonOption = () => new Option("--json", "print the result as JSON");
const ringOption = () =>
  new Option("--ring <ring>", "set of keys: tokens and licence proofs, stored secrets, or update manifests")
    .choices(keyRings)
    .default("signing");

/**
 * Builds the command-line program of the image and a checkout, with one command for each row of docs/operations.md#commands.
 * Unknown commands and options end the process with code 1 and a suggestion.
 * @param name how the program was started, for the usage lines
 */
export function buildProgram(name: string, host: CommandHost): Command {
  const program = new Command(name)
    .description("Serves and operates the portal.")
    .usage("[command]")
    .configureHelp({ showGlobalOptions: false })
    .configureOutput({
      outputError: (text, write) => write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
    })
    .showHelpAfterError("Add --help to see how the command is used.");

  program
    .command("serve")
    .description("serve the product; the default command")
    .option("--workers <number>", "processes that share the port; auto: one for each processor core", parseWorkers)
    .addHelpText("after", "\nSIGHUP restarts the workers one after another without an interruption.")
    .action(({ workers }) => host.serve(workers));
  program
    .command("migrate")
    .description("apply the migrations that the database doesn't have yet, while other processes serve")
    .option("--status", "list applied and pending migrations with an estimate of what each blocks")
    .addOption(jsonOption())
    .action(async (options) => (await import("./migrate.ts")).runMigrate(options));
  program
    .command("create-admin")
    .description("create an admin, and print a link to set a password that works once and for 24 hours")
    .requiredOption("--email <address>", "address the admin signs in with", parseEmail)
    .option("--first-name <name>", "first name; default: Portal")
    .option("--last-name <name>", "last name; default: Admin")
    .option("--promote", "make an existing account an admin with the role Owner")
    .addOption(jsonOption())
    .action(async (options) => (await import("./create-admin.ts")).runCreateAdmin(options, host.loadDevClock));
  program
    .command("doctor")
    .description("check settings, database, keys, email, files, payments and disk; exits with 1 if anything is wrong")
    .addOption(jsonOption())
    .action(async (options) => (await import("./doctor.ts")).runDoctor(options));
  addKeyCommands(program);
  addJobCommands(program, host);
  addEventCommands(program, host);
  program
    .command("sync-plans")
    .description("bring the catalogue to the payment provider")
    .addOption(jsonOption())
    .action(async (options) => (await import("./sync-plans.ts")).runSyncPlans(options, host.loadDevClock));
  program
    .command("repair-books")
    .description("add entries that the journal lacks, and say whether the books agree; changes no existing entry")
    .addOption(jsonOption())
    .action(async (options) => (await import("./repair-books.ts")).runRepairBooks(options));
  program
    .command("erase-user")
    .description("erase a user: close the account, remove all personal data and print a certificate")
    .requiredOption("--email <address>", "address the user signs in with", parseEmail)
    .option("--dry-run", "show what would be erased without changing anything")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nThis can't be undone. If the command is interrupted, run it again or start a server, and the erasure\n" +
        "continues. The user receives the certificate by email. The last active admin can't be erased.",
    )
    .action(async (options) => (await import("./erase-user.ts")).eraseUserByEmail(options, host.loadDevClock));
  addAuditCommands(program, host);
  addBackupCommands(program, host);
  return program;
}

function addKeyCommands(program: Command): void {
  const keys = program
    .command("keys")
    .description("list and rotate the keys of a ring")
    .addHelpText(
      "after",
      "\nThe keys come from a pipe, from the ring's setting (SIGNING_KEYS, ENCRYPTION_KEYS, RELEASE_KEYS), or from the\n" +
        "file in DATA_DIR. The file is changed. For a pipe or a setting, the new set is printed: store it, then restart\n" +
        "every process. A - at the end reads the set of keys from a pipe.",
    );
  const add = (name: string, description: string) =>
    keys
      .command(name)
      .description(description)
      .addOption(ringOption())
      .addOption(jsonOption())
      .action(async (...given: unknown[]) => {
        const command = given.at(-1) as Command;
        await (await import("./keys.ts")).runKeys(command.name(), command.args, command.opts());
      });
  const kid = ["[kid]", "id of the key"] as const;
  const pipe = ["[pipe]", "- to read the set of keys from a pipe"] as const;
  add("list", "show the keys").argument(...pipe, parsePipe);
  add("new", "print a new set of keys, for the ring's setting");
  add("add", "add a key that isn't used yet").argument(...pipe, parsePipe);
  add("promote", "use a waiting key, and retire the previous one")
    .argument(...kid)
    .argument(...pipe, parsePipe);
  add("prune", "remove retired keys that nothing needs any more")
    .argument(...kid)
    .argument(...pipe, parsePipe);
  add("public", "print the public keys for a server without the private ones; needs --ring release").argument(
    ...pipe,
    parsePipe,
  );
  add("sign", "sign the manifest of a build, copied from Manage Software; needs --ring release")
    .argument("<file>", "file with the manifest, or - for a pipe")
    .option("--days <number>", "days until the signature expires; default: 30", parseCount);
}

function addJobCommands(program: Command, host: CommandHost): void {
  const jobs = program.command("jobs").description("list background jobs, and retry those that failed every attempt");
  const queueOption = () => new Option("--queue <name>", "only jobs of this queue");
  jobs
    .command("list")
    .description("show what waits and runs in each queue, and the jobs that failed every attempt")
    .addOption(queueOption())
    .option("--limit <number>", "most failed jobs to show, oldest first", parseCount, 100)
    .addOption(jsonOption())
    .action(async (options) => (await import("./jobs.ts")).runJobsList(options, host.loadDevClock));
  jobs
    .command("retry")
    .description("run jobs again that failed every attempt")
    .argument("[ids...]", "ids of the jobs", collectId)
    .option("--all-failed", "jobs that failed every attempt, oldest first")
    .addOption(queueOption())
    .option("--limit <number>", "most jobs to run again with --all-failed", parseCount, 1_000)
    .addOption(jsonOption())
    .addHelpText("after", "\nRepeating the command runs no job twice.")
    .action(async (ids, options) => (await import("./jobs.ts")).runJobsRetry(ids, options, host.loadDevClock));
}

function addEventCommands(program: Command, host: CommandHost): void {
  const events = program.command("events").description("restore archived licence events");
  events
    .command("restore")
    .description("bring an archived month of licence events back for 30 days, without personal data")
    .argument("<month>", "month, such as 2024-11", parseMonth)
    .addOption(jsonOption())
    .addHelpText("after", "\nRepeating the command adds no event twice.")
    .action(async (month, options) =>
      (await import("./events.ts")).runEventsRestore(month, options, host.loadDevClock),
    );
}

function parseMonth(text: string): string {
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError("It must be a month, such as 2024-11.");
  return text;
}

/** Adds an id to those before it. */
function collectId(text: string, before: string[] = []): string[] {
  if (!isUuid(text)) throw new InvalidArgumentError("It must be an id that jobs list prints.");
  return [...before, text];
}

function addBackupCommands(program: Command, host: CommandHost): void {
  program
    .command("backup")
    .description("write a consistent backup of the database and the stored files, while the product is in use")
    .requiredOption("--to <folder>", "folder of the backups; each is a folder named after its time in UTC", parsePath)
    .option("--keep <number>", "number of backups to keep, including this one", parseCount, 7)
    .addOption(jsonOption())
    .action(async (options) => (await import("./backup.ts")).runBackup(options));
  const verify = new Option("--verify", "restore into a scratch database, check it and remove it");
  const confirm = new Option("--confirm", "after a restore: send the webhook deliveries and emails that were waiting");
  program
    .command("restore")
    .description("restore a backup into an empty database and storage")
    .option("--from <folder>", "folder of the backup, or of several, of which the newest is used", parsePath)
    .addOption(verify.conflicts(["skipNumbers", "erasures"]))
    .option(
      "--skip-numbers <count>",
      "with --from: invoice numbers to leave out, because they may have been sent; default: 1000",
      parseSkippedNumbers,
    )
    .option(
      "--erasures <file>",
      "certificates of erasure, or audit export, of the time after the backup; without --from, only erases again",
      parsePath,
    )
    .addOption(confirm.conflicts(["from", "verify", "skipNumbers", "erasures"]))
    .addOption(jsonOption())
    .action(async (options, command: Command) => {
      // Erasing again doesn't change the numbers.
      if (!options.from && options.skipNumbers !== undefined)
        command.error("error: option '--skip-numbers <count>' can only be used with option '--from <folder>'");
      await (await import("./restore.ts")).runRestore(options, host.loadDevClock);
    });
}

/** Returns a path. An empty one is a variable of a script that isn't set, and would leave out the option. */
function parsePath(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("It must not be empty.");
  return text;
}

const parseCount = (text: string) => parseNumber(text, [1, 99_999]);
// An empty text, as of a variable that isn't set, must not count as 0: invoice numbers would be used twice.
const parseSkippedNumbers = (text: string) => parseNumber(text, [0, 1_000_000]);

function parseNumber(text: string, [least, most]: readonly [number, number]): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new InvalidArgumentError(`Must be a whole number from ${least} to ${most}.`);
  return Number(text);
}

/** Returns a number of workers. Each one opens database connections, so a slip of the finger must not open thousands. */
function parseWorkers(text: string): number {
  if (text === "auto") return availableParallelism();
  if (!/^(?:[1-9]|[1-9]\d|1[01]\d|12[0-8])$/.test(text))
    throw new InvalidArgumentError("Must be auto or a number from 1 to 128.");
  return Number(text);
}

function parsePipe(text: string): string {
  if (text !== "-") throw new InvalidArgumentError("Only - is allowed, which reads the keys from a pipe.");
  return text;
}

function addAuditCommands(program: Command, host: CommandHost): void {
  const audit = program.command("audit").description("export and verify the audit log and the security events");
  audit
    .command("export")
    .description("print the entries of a period as JSON lines, oldest first")
    .requiredOption("--from <date>", "first day or time, such as 2026-11-01 or 2026-11-01T09:00:00Z")
    .requiredOption("--to <date>", "last day or time; a day is included as a whole. Times without an offset are UTC.")
    .addOption(jsonOption().hideHelp())
    .action(async (options) => (await import("./audit.ts")).runAuditExport(options, host.loadDevClock));
  audit
    .command("verify")
    .description("check that no entry was changed, removed or inserted, and name the first bad one")
    .option(
      "--since <hash>",
      "hash of a link that the chain must contain, from the log, a backup or an earlier run",
      parseLinkHash,
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExits with 1 if it finds a bad entry. It finds an end of the chain that was removed only with --since. The\n" +
        "server logs the last link every minute, and a backup's manifest has it.",
    )
    .action(async (options) => (await import("./audit.ts")).runAuditVerify(options, host.loadDevClock));
}

/** Returns the hash of a link. Another text, as of a variable that isn't set, would look like a removed end of the chain. */
function parseLinkHash(text: string): string {
  const hash = text.trim().toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError("It must be a hash of 64 hexadecimal digits.");
  return hash;
}

function parseEmail(text: string): string {
  if (!/^[^\s@]+@[^\s@]+$/.test(text)) throw new InvalidArgumentError("It must be an email address.");
  return text;
}
