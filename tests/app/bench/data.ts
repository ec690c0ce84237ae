import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { hashPassword } from "#api/access/sessions/password.ts";
import type { Contest } from "./contests.ts";
import { folderFor, type Ground } from "./ground.ts";
import { createPopulation, type Population, sizesAt } from "./population.ts";
import { columnsOf, owner, seedEvents, seedPeople, settle, timelines } from "./seed.ts";

/** Events with which the same people are asked about: as many as the scale says, and 5,000 or so. */
export type Amount = "many" | "few";

/** The databases of one run, each made when first needed. */
export interface BenchData {
  readonly population: Population;
  /** How many events the two databases have. */
  readonly events: Readonly<Record<Amount, number>>;
  /** Name of a database that is migrated, filled and settled. */
  database(amount: Amount): Promise<string>;
}

const PEOPLE = "people";

/** Prepares {@link BenchData} at a scale. */
export function createData(ground: Ground, scale: number, progress: (text: string) => void): BenchData {
  const { users, licences, devices, events: all } = sizesAt(scale);
  // Made when first asked for: a run of other suites has no use for so many codes.
  let thought: Population | undefined;
  const populate = () => (thought ??= createPopulation(scale));
  const few = Math.max(Math.round(all / 1_000), timelines.licences * timelines.events);
  const events = { many: Math.max(all, few), few };
  let people: Promise<void> | undefined;
  const made = new Map<Amount, Promise<string>>();

  const makePeople = async () => {
    await ground.createMigratedDatabase(PEOPLE);
    const client = await ground.connect(PEOPLE);
    await seedPeople(client, populate(), await hashPassword(owner.password));
    await client.end();
    progress(`${users} users, ${licences} licences, ${devices} devices`);
  };
  const make = async (amount: Amount) => {
    people ??= makePeople();
    await people;
    const name = `${amount}_events`;
    await ground.createDatabase(name, PEOPLE);
    const client = await ground.connect(name);
    await seedEvents(client, populate(), events[amount]);
    await settle(client);
    await client.end();
    progress(`${events[amount]} events`);
    return name;
  };
  return {
    get population() {
      return populate();
    },
    events,
    database: async (amount) => {
      // One after the other: a database that is being copied lets nobody else in.
      await Promise.all(made.values());
      const database = made.get(amount) ?? make(amount);
      made.set(amount, database);
      return database;
    },
  };
}

/**
 * Lays the questions of a contest out: as a file with a body a line for the load generators, and as
 * `bench.questions` in the database for pgbench.
 */
export async function layOutQuestions(
  ground: Ground,
  client: pg.Client,
  contest: Contest,
  { asking }: Population,
): Promise<{ file: string; count: number }> {
  const devices = asking.filter((device) => contest.suits(device));
  const file = join(folderFor(ground, "questions"), contest.path.replaceAll("/", "-"));
  writeFileSync(file, `${devices.map((device) => JSON.stringify(contest.body(device))).join("\n")}\n`);
  await client.query("create schema if not exists bench");
  await client.query("drop table if exists bench.questions");
  await client.query("create table bench.questions (n int primary key, question text not null)");
  await client.query(
    `insert into bench.questions select n, '[' || question || ']' from unnest($1::text[]) with ordinality as q(question, n)`,
    [devices.map((device) => JSON.stringify(contest.row(device)))],
  );
  await client.query("vacuum (analyze) bench.questions");
  return { file, count: devices.length };
}

/** How often a kind of question was answered with success, as the history tells. */
export async function countStored(client: pg.Client, kind: string): Promise<number> {
  const counted = (await columnsOf(client, "licence_events")).has("count") ? "sum(count)" : "count(*)";
  const { rows } = await client.query<{ stored: number }>(
    `select coalesce(${counted}, 0)::float8 as stored from licence_events where kind = $1 and result_code = 1`,
    [kind],
  );
  return rows[0]?.stored ?? 0;
}
