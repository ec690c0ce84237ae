import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AppError, unprocessable } from "#api/platform/errors.ts";
import type { DatabaseAddress } from "./database.ts";
import { toSingleHostUrl } from "./database-hosts.ts";

/** A connection or a pool. */
type Connection = Pick<pg.ClientBase, "query">;

/** What belongs to the owner's role. The application's role may read the tables and add rows, and call the functions. */
export interface OwnedObjects {
  readonly tables: readonly string[];
  readonly functions: readonly string[];
}

/** A database role that signs in. */
interface DatabaseRole {
  readonly name: string;
  readonly password: string;
}

/** Schemas whose objects belong to the application. */
const schemas = ["public", "pgboss", "payment_simulator"];

/** SQLSTATEs: lock timeout, and a right that the role lacks. */
const LOCK_TIMEOUT = "55P03";
export const NOT_PERMITTED = "42501";

/** SQLSTATEs after which another process created the role. */
const exists = new Set(["42710", "23505"]);

/** Returns the role of an address. @throws AppError UNPROCESSABLE if a URL names none */
export function readRole(address: DatabaseAddress): DatabaseRole {
  const role =
    "url" in address
      ? (({ username, password }) => ({
          name: decodeURIComponent(username),
          password: decodeURIComponent(password),
        }))(toSingleHostUrl(address.url))
      : { name: address.user ?? "", password: address.password ?? "" };
  if (role.name) return role;
  throw unprocessable("DATABASE_URL must name its role if DATABASE_OWNER_URL is set.");
}

/** Creates a role that may sign in, unless it exists. @param client connection of a role that may create roles */
async function createRole(client: Connection, { name, password }: DatabaseRole): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
  if (rowCount) return;
  const secret = password ? ` password ${pg.escapeLiteral(password)}` : "";
  await client.query(`create role ${pg.escapeIdentifier(name)} login${secret}`).catch((error: { code?: string }) => {
    if (!exists.has(error.code ?? "")) throw error;
  });
}

/**
 * Divides the database between two roles (decision 0205): the role of the connection keeps the objects of `owned`, and
 * everything else goes to the application's role, which is created if it doesn't exist. Changes nothing if that is so already.
 * Each change waits briefly for its lock, so that requests pass.
 */
export async function separateRoles(pool: Connection, role: DatabaseRole, owned: OwnedObjects): Promise<void> {
  const { rows: own } = await pool.query<{ name: string }>("select current_user as name");
  const owner = own[0]?.name ?? "";
  if (owner === role.name) return;
  await createRole(pool, role);
  await joinRole(pool, role.name);
  const { rows } = await pool.query<{ statement: string; isOptional: boolean }>(changesSql, [
    role.name,
    owned.tables,
    owned.functions,
    schemas,
  ]);
  for (const { statement, isOptional } of rows)
    await runBetweenRequests(pool, statement).catch((error: { code?: string }) => {
      if (!isOptional || error.code !== NOT_PERMITTED) throw error;
    });
}

/** Returns an error that names the statements for a superuser if the owner lacked a right, and other errors unchanged. */
export function explainMissingRight(error: unknown, { owner, ...app }: DatabaseAddress): unknown {
  if (!owner || (error as { code?: unknown }).code !== NOT_PERMITTED) return error;
  const [role, ownRole] = [readRole(app).name, readRole(owner).name];
  return new AppError("UNPROCESSABLE", {
    message: `The role of DATABASE_OWNER_URL can't migrate: ${(error as Error).message}. Run as a superuser: grant "${role}" to "${ownRole}"; alter database … owner to "${ownRole}";`,
    cause: error,
  });
}

/** Gives objects to another role only a member of it may do, unless it is a superuser. */
async function joinRole(pool: Connection, name: string): Promise<void> {
  const { rows } = await pool.query("select pg_has_role(current_user, $1, 'member') as member", [name]);
  if (!rows[0]?.member) await pool.query(`grant ${pg.escapeIdentifier(name)} to current_user`);
}

async function runBetweenRequests(pool: Connection, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Several statements in one query are one transaction.
      return void (await pool.query(`set local lock_timeout = 300; ${statement}`));
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_TIMEOUT || attempt > 600) throw error;
      await sleep(1_000);
    }
  }
}

/** Returns the missing changes. $1: the application's role; $2, $3: tables and functions of the owner; $4: schemas. */
const changesSql = `
  with relations as (
    select c.oid, c.relname, c.relkind, pg_get_userbyid(c.relowner) as owner,
           n.nspname = 'public' and c.relname = any($2) as is_owned
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = any($4) and c.relkind in ('r', 'p', 'S', 'v', 'm')
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid
                        and (d.deptype = 'e' or (c.relkind = 'S' and d.deptype in ('a', 'i'))))
  ), routines as (
    select p.oid, pg_get_userbyid(p.proowner) as owner, n.nspname = 'public' and p.proname = any($3) as is_owned
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname = any($4)
       and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  )
  select statement, is_optional as "isOptional" from (
    select 1 as step, format('alter database %I owner to %I', datname, current_user) as statement, true as is_optional
      from pg_database where datname = current_database() and pg_get_userbyid(datdba) = $1
    union all
    select 2, format('grant create, temporary, connect on database %I to %I', current_database(), $1), false
     where not has_database_privilege($1, current_database(), 'create')
    union all
    select 3, format('alter schema %I owner to %I', nspname, case nspname when 'public' then current_user else $1 end), false
      from pg_namespace
     where nspname = any($4)
       and ((nspname = 'public' and pg_get_userbyid(nspowner) = $1)
         or (nspname <> 'public' and pg_get_userbyid(nspowner) = current_user))
    union all
    select 4, format('grant usage, create on schema public to %I', $1), false
     where not has_schema_privilege($1, 'public', 'create')
    union all
    select 5, format('alter %s %s owner to %I',
             case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
             oid::regclass, $1), false
      from relations where not is_owned and owner = current_user
    union all
    select 5, format('alter routine %s owner to %I', oid::regprocedure, $1), false
      from routines where not is_owned and owner = current_user
    union all
    select 5, format('alter type %s owner to %I', t.oid::regtype, $1), false
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
     where n.nspname = any($4) and t.typtype in ('e', 'd') and pg_get_userbyid(t.typowner) = current_user
    union all
    select 6, format('alter table %s owner to %I; revoke all on %1$s from %3$I; grant select, insert on %1$s to %3$I',
             oid::regclass, current_user, $1), false
      from relations
     where is_owned and (owner <> current_user or not has_table_privilege($1, oid, 'select')
        or not has_table_privilege($1, oid, 'insert')
        or has_table_privilege($1, oid, 'update, delete, truncate, references, trigger'))
    union all
    select 6, format('alter routine %s owner to %I; grant execute on routine %1$s to %3$I', oid::regprocedure, current_user, $1), false
      from routines where is_owned and (owner <> current_user or not has_function_privilege($1, oid, 'execute'))
  ) changes order by step, statement`;
