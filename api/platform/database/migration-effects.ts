/** Work that a statement of a migration blocks while it runs: nothing, changes of the table, or also reading it. */
export type Blocking = "nothing" | "changes" | "everything";

/** Effect of a statement of a migration on a table that exists before the migration. */
export interface MigrationEffect {
  readonly table: string;
  readonly blocks: Blocking;
  /** Work that takes longer the more rows the table has; null for a change of the catalogue, which takes milliseconds. */
  readonly work: "scan" | "index" | "rewrite" | "write" | null;
  /** Short name of the change, such as "add a column". */
  readonly change: string;
  /** Removes something that the previous release may still use. */
  readonly contracts: boolean;
}

const name = String.raw`(?:if (?:not )?exists )?(?:only )?"?(?:public"?\."?)?([a-z_][\w]*)"?`;

/** Defaults that PostgreSQL computes for each row, so that adding the column rewrites the table. */
const volatile = /\b(?:gen_random_uuid|random|clock_timestamp|nextval|uuidv7)\s*\(|\b(?:big|small)?serial\b/;

/** Effects by the beginning of a statement. The first group of a pattern is the table. */
const patterns: readonly (readonly [RegExp, (sql: string) => Omit<MigrationEffect, "table"> | null])[] = [
  [
    new RegExp(`^create (?:unique )?index concurrently .*? on ${name}`),
    () => effect("nothing", "index", "build an index concurrently"),
  ],
  [new RegExp(`^create (?:unique )?index .*? on ${name}`), () => effect("changes", "index", "build an index")],
  [new RegExp(`^alter table ${name} `), describeAlteration],
  [new RegExp(`^drop table ${name}`), () => effect("everything", null, "drop the table", true)],
  [
    new RegExp(`^create (?:or replace )?(?:constraint )?trigger .*? on ${name}`),
    () => effect("changes", null, "add a trigger"),
  ],
  [new RegExp(`^(?:with .*? )?update ${name} `), () => effect("nothing", "write", "change rows")],
  [new RegExp(`^delete from ${name}`), () => effect("nothing", "write", "delete rows")],
  [new RegExp(`^truncate (?:table )?${name}`), () => effect("everything", null, "delete all rows", true)],
  [new RegExp(`^lock (?:table )?${name}`), () => effect("everything", null, "lock the table")],
];

function effect(
  blocks: Blocking,
  work: MigrationEffect["work"],
  change: string,
  contracts = false,
): Omit<MigrationEffect, "table"> {
  return { blocks, work, change, contracts };
}

function describeAlteration(sql: string): Omit<MigrationEffect, "table"> {
  if (/ (?:drop column|rename) /.test(sql)) return effect("everything", null, "drop or rename", true);
  if (sql.includes(" alter column ") && sql.includes(" type "))
    return effect("everything", "rewrite", "change a column's type");
  if (/ set not null/.test(sql)) return effect("everything", "scan", "require a value");
  if (/ validate constraint /.test(sql)) return effect("nothing", "scan", "validate a constraint");
  const isChecked = / (?:check \(|foreign key|references )/.test(sql) && !sql.includes(" not valid");
  if (/ add constraint /.test(sql) && /(?: unique| primary key)/.test(sql) && !sql.includes(" using index"))
    return effect("everything", "index", "add a unique constraint");
  if (/ add (?:column )/.test(sql)) {
    if (volatile.test(sql) || (sql.includes(" generated always as ") && sql.includes(" stored")))
      return effect("everything", "rewrite", "add a column with a computed value");
    return isChecked
      ? effect("everything", "scan", "add a column with a constraint")
      : effect("everything", null, "add a column");
  }
  if (/ add constraint /.test(sql))
    return isChecked
      ? effect("everything", "scan", "add a constraint")
      : effect("everything", null, "add a constraint for new rows");
  return effect("everything", null, "change the table");
}

/** Returns the effects of a migration's statements on tables that exist before it, in order. */
export function findMigrationEffects(statements: readonly string[]): MigrationEffect[] {
  const effects: MigrationEffect[] = [];
  const created = new Set<string>();
  for (const statement of statements) {
    const sql = statement.replace(/\s+/g, " ").trim().toLowerCase();
    const table = new RegExp(`^create (?:unlogged )?table ${name}`).exec(sql)?.[1];
    if (table) created.add(table);
    for (const [pattern, describe] of patterns) {
      const target = pattern.exec(sql)?.[1];
      if (!target) continue;
      const found = created.has(target) ? null : describe(sql);
      if (found) effects.push({ table: target, ...found });
      break;
    }
  }
  return effects;
}

/** Tables that stay small. An index on them is built in milliseconds. */
const smallTables = new Set([
  "credit_entries",
  "received_payments",
  "settings",
  "plans",
  "promo_codes",
  "software_builds",
  "software_channels",
  "saved_reports",
  "saved_views",
  "bulk_runs",
  "webhook_endpoints",
  "audit_keys",
  "detached_event_months",
  "activity_progress",
]);

/**
 * Returns a sentence for each statement that would stop a running release: one that blocks a table for long, or removes
 * what the previous release uses. A statement that contains the comment `contract` may remove something.
 */
export function findMigrationFaults(statements: readonly string[], isTransactional: boolean): string[] {
  const faults: string[] = [];
  for (const [index, statement] of statements.entries()) {
    const concerned = findMigrationEffects([...statements.slice(0, index), statement]).slice(
      findMigrationEffects(statements.slice(0, index)).length,
    );
    for (const { table, blocks, work, change, contracts } of concerned) {
      const say = (advice: string) => faults.push(`${table}: "${change}" ${advice}`);
      if (contracts && !/contract/i.test(statement))
        say("breaks the previous release. Remove it one release after the code, with the comment /* contract */.");
      if (smallTables.has(table)) continue;
      if (work === "write") say("locks all its rows in one transaction. Write a sweep that changes them in parts.");
      if (blocks === "nothing") continue;
      if (work === "index") say("blocks the table while it is built. Use CREATE INDEX CONCURRENTLY, then USING INDEX.");
      if (work === "scan")
        say("scans the table under a lock. Add it NOT VALID, and validate it in the next migration.");
      if (work === "rewrite") say("rewrites the table under a lock. Add a nullable column and fill it in parts.");
      if (change === "lock the table") say("stops the running release.");
    }
    if (isTransactional && /\bconcurrently\b/i.test(statement))
      faults.push("CONCURRENTLY needs `override isTransactional() { return false; }`.");
    const built = /^create (?:unique )?index concurrently (?:if not exists )?"?(\w+)/i.exec(statement.trim())?.[1];
    const drops = statements
      .slice(0, index)
      .some((one) => /drop index concurrently if exists/i.test(one) && one.includes(built ?? ""));
    if (built && !drops)
      faults.push(
        `${built}: an interrupted build leaves an invalid index. First DROP INDEX CONCURRENTLY IF EXISTS ${built}.`,
      );
  }
  return faults;
}
