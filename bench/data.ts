import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { hashPassword } from "#api/access/sessions/password.ts";
import type { Contest } from "./contests.ts";
import { folderFor, type BenchEnvironment } from "./environment.ts";
import { createPopulation, type Population, getSizes } from "./population.ts";
import { owner, seedEvents, seedPeople, vacuumDatabase, timelines } from "./seed.ts";

/** Amount of events in a database: about 5,000 for `few`, more for `many`, depending on the scale. Both have the same devices. */
export type Amount = "many" | "few";

/** The databases of a run. Each one is created on first use. */
export interface BenchData {
  readonly population: Population;
  /** Number of events in the two databases. */
  readonly events: Readonly<Record<Amount, number>>;
  /** Returns the name of a database that is migrated, filled and vacuumed. */
  getDatabase(amount: Amount): Promise<string>;
}

const PEOPLE = "people";

export function createData(ground: BenchEnvironment, scale: number, progress: (text: string) => void): BenchData {
  const { users, licences, devices, events: all } = getSizes(scale);
  // The population is created on first use, because other suites don't need its many licence codes.
  let population: Population | undefined;
  const populate = () => (population ??= createPopulation(scale));
  const few = Math.max(Math.round(all / 1_000), timelines.licences * timelines.events);
  const events = { many: Math.max(all, few), few };
  let people: Promise<void> | undefined;
  const databases = new Map<Amount, Promise<string>>();

  const createPeople = async () => {
    await ground.createMigratedDatabase(PEOPLE);
    const client = await ground.connect(PEOPLE);
    await seedPeople(client, populate(), await hashPassword(owner.password));
    await client.end();
    progress(`${users} users, ${licences} licences, ${devices} devices`);
  };
  const create = async (amount: Amount) => {
    people ??= createPeople();
    await people;
    const name = `${amount}_events`;
    await ground.createDatabase(name, PEOPLE);
    const client = await ground.connect(name);
    await seedEvents(client, populate(), events[amount]);
    await vacuumDatabase(client);
    await client.end();
    progress(`${events[amount]} events`);
    return name;
  };
  return {
    get population() {
      return populate();
    },
    events,
    getDatabase: async (amount) => {
      // Create one database at a time, because PostgreSQL can't copy a database with open connections.
      await Promise.all(databases.values());
      const database = databases.get(amount) ?? create(amount);
      databases.set(amount, database);
      return database;
    },
  };
}

/**
 * Writes the requests of a contest to a file with a body per line for the load generators, and to `bench.questions` in the
 * database for pgbench.
 */
export async function writeRequests(
  ground: BenchEnvironment,
  client: pg.Client,
  contest: Contest,
  { loadDevices }: Population,
): Promise<{ file: string; count: number }> {
  const devices = loadDevices.filter((device) => contest.canSend(device));
  const file = join(folderFor(ground, "questions"), contest.path.replaceAll("/", "-"));
  writeFileSync(file, `${devices.map((device) => JSON.stringify(contest.buildBody(device))).join("\n")}\n`);
  await client.query("create schema if not exists bench");
  await client.query("drop table if exists bench.questions");
  await client.query("create table bench.questions (n int primary key, question text not null)");
  await client.query(
    `insert into bench.questions select n, '[' || question || ']' from unnest($1::text[]) with ordinality as q(question, n)`,
    [devices.map((device) => JSON.stringify(contest.buildRow(device)))],
  );
  await client.query("vacuum (analyze) bench.questions");
  return { file, count: devices.length };
}

/** Counts the successful requests of a kind that were stored. */
export async function countStored(client: pg.Client, kind: string): Promise<number> {
  const { rows } = await client.query<{ stored: number }>(
    `select coalesce(sum(count), 0)::float8 as stored from licence_events where kind = $1 and result_code = 1`,
    [kind],
  );
  return rows[0]?.stored ?? 0;
}
