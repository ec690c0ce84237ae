import type pg from "pg";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { AnyObject, ObjectName, ObjectTypes } from "./billing-objects.ts";
import { missing } from "./errors.ts";
import { createId } from "./identifiers.ts";
import type { ApiList, Event } from "./provider-objects.ts";
import { INCOMPLETE_SECONDS } from "./dates.ts";

/** The provider's API version that the simulator implements, which `stripe` 23.1.0 requests. */
export const API_VERSION = "2026-10-28.endive";

/** Filters for a list of objects. `where` compares fields by their dotted path. */
export interface ListQuery {
  readonly customer?: string | undefined;
  readonly where?: Readonly<Record<string, string | undefined>>;
  readonly created?: { gt?: number; gte?: number; lt?: number; lte?: number } | undefined;
  readonly types?: readonly string[] | undefined;
  /** Fields that must have one of the given values. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** Fields that must not have any of the given values. */
  readonly without?: Readonly<Record<string, readonly string[]>>;
}

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** Clock, webhook delay and idempotency key for a transaction. */
export interface Environment {
  readonly now: () => Date;
  /** Returns the delay of new webhooks in milliseconds. */
  readonly webhookDelayMs: () => number;
  /** Idempotency key of the current request. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Reads and writes objects for one request or due task. Objects are loaded once and changed in place. `save` marks an
 * object as changed, and `flush` writes the changed objects.
 */
export class Transaction {
  readonly #loaded = new Map<string, AnyObject>();
  readonly #changed = new Set<AnyObject>();
  /** Current time while a due task runs, in seconds since 1970. Overrides the simulator's clocks; null otherwise. */
  fixedTime: number | null = null;

  constructor(
    readonly client: pg.ClientBase,
    readonly environment: Environment,
  ) {}

  /** Returns the current time in seconds since 1970, from the customer's test clock if there is one. */
  async now(customer?: string | null): Promise<number> {
    if (this.fixedTime !== null) return this.fixedTime;
    const owner = customer ? await this.find(customer) : undefined;
    if (owner?.object === "customer" && owner.test_clock)
      return (await this.get("test_helpers.test_clock", owner.test_clock)).frozen_time;
    return toEpochSeconds(this.environment.now());
  }

  /** Returns the objects that were loaded or saved, in this order. */
  get loaded(): Iterable<AnyObject> {
    return this.#loaded.values();
  }

  /** Loads the objects that can be due, of a test clock or of a customer without one. */
  async loadDue(owner: { readonly clock: string } | { readonly customer: string | null }): Promise<void> {
    await this.flush();
    const [condition, value] =
      "clock" in owner
        ? ["clock = $1", owner.clock]
        : ["clock is null and customer is not distinct from $1", owner.customer];
    const { rows } = await this.client.query<{ body: AnyObject }>(
      `select body from payment_simulator.objects where due is not null and ${condition} order by number`,
      [value],
    );
    for (const { body } of rows) if (!this.#loaded.has(body.id)) this.#remember(body);
  }

  /** Returns an object by id, including deleted objects. */
  async find(id: string): Promise<AnyObject | undefined> {
    const loaded = this.#loaded.get(id);
    if (loaded) return loaded;
    const { rows } = await this.client.query<{ body: AnyObject }>(
      "select body from payment_simulator.objects where id = $1",
      [id],
    );
    return rows[0] && this.#remember(rows[0].body);
  }

  /**
   * Returns an object by type and id.
   * @throws ProviderError `resource_missing` with `param` if there is none or it was deleted.
   */
  async get<Name extends ObjectName>(name: Name, id: string, param = "id"): Promise<ObjectTypes[Name]> {
    const object = await this.find(id);
    if (!object || object.object !== name || object.deleted) throw missing(name, id, param);
    return object as ObjectTypes[Name];
  }

  /** Returns all matching objects of a type, newest first. */
  async findAll<Name extends ObjectName>(name: Name, query: ListQuery = {}): Promise<ObjectTypes[Name][]> {
    return (await this.findPage(name, query, { limit: 100_000 }, "")).data;
  }

  /** Returns a page of the matching objects of a type, newest first, in the provider's list format. */
  async findPage<Name extends ObjectName>(
    name: Name,
    { customer, where = {}, created = {}, types, only = {}, without = {} }: ListQuery,
    { limit = 10, starting_after: after, ending_before: before }: Paging,
    url: string,
  ): Promise<ApiList<ObjectTypes[Name]>> {
    await this.flush();
    const values: unknown[] = [name];
    const bind = (value: unknown) => `$${values.push(value)}`;
    // Written as in the indexes.
    const readPath = (path: string) => (/^\w+$/.test(path) ? `body->>'${path}'` : `body #>> ${bind(path.split("."))}`);
    const conditions = ["type = $1", "not body ? 'deleted'"];
    if (customer !== undefined) conditions.push(`customer = ${bind(customer)}`);
    for (const [path, expected] of Object.entries(where))
      if (expected !== undefined) conditions.push(`${readPath(path)} = ${bind(expected)}`);
    for (const [path, options] of Object.entries(only)) conditions.push(`${readPath(path)} = any(${bind(options)})`);
    for (const [path, options] of Object.entries(without))
      conditions.push(`not body #>> ${bind(path.split("."))} = any(${bind(options)})`);
    for (const [bound, sign] of [
      ["gt", ">"],
      ["gte", ">="],
      ["lt", "<"],
      ["lte", "<="],
    ] as const)
      if (created[bound] !== undefined) conditions.push(`(body->>'created')::bigint ${sign} ${bind(created[bound])}`);
    if (types) conditions.push(`body->>'type' = any(${bind(types)})`);
    const selectNumber = (id: string) => `(select number from payment_simulator.objects where id = ${bind(id)})`;
    if (after !== undefined) conditions.push(`number < ${selectNumber(after)}`);
    if (before !== undefined) conditions.push(`number > ${selectNumber(before)}`);
    const { rows } = await this.client.query<{ body: ObjectTypes[Name] }>(
      `select body from payment_simulator.objects where ${conditions.join(" and ")}
       order by number ${before === undefined ? "desc" : "asc"} limit ${bind(limit + 1)}`,
      values,
    );
    const found = rows
      .slice(0, limit)
      .map(({ body }) => (this.#loaded.get(body.id) ?? this.#remember(body)) as ObjectTypes[Name]);
    if (before !== undefined) found.reverse();
    return { object: "list", url, has_more: rows.length > limit, data: found };
  }

  /** Marks an object as new or changed. */
  save<Saved extends AnyObject>(object: Saved): Saved {
    this.#loaded.set(object.id, object);
    this.#changed.add(object);
    return object;
  }

  /** Creates an event with the current state of an object and queues its webhook. */
  async emit(type: string, object: AnyObject, previous?: Record<string, unknown>): Promise<void> {
    const customer = "customer" in object ? object.customer : object.object === "customer" ? object.id : null;
    const event: Event = {
      id: createId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: await this.now(customer),
      data: { object: removeInternalFields(object), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: this.environment.idempotencyKey ?? null },
      type,
    };
    this.save(event);
  }

  /** Writes the changed objects in the order they were saved. */
  async flush(): Promise<void> {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    const rows = changed.map((object) => ({
      id: object.id,
      type: object.object,
      customer: "customer" in object ? object.customer : null,
      clock: getTestClock(object),
      due: getDueTime(object),
      body: object,
    }));
    await this.client.query(
      `insert into payment_simulator.objects (id, type, customer, clock, due, body)
       select id, type, customer, clock, due, body
       from jsonb_to_recordset($1) as r(id text, type text, customer text, clock text, due bigint, body jsonb)
       on conflict (id) do update set customer = excluded.customer, clock = excluded.clock, due = excluded.due, body = excluded.body`,
      [JSON.stringify(rows)],
    );
    const events = changed.filter((object) => object.object === "event").map((event) => event.id);
    if (events.length === 0) return;
    const dueMs = this.environment.now().getTime() + this.environment.webhookDelayMs();
    await this.client.query(
      "insert into payment_simulator.deliveries (event, due_ms) select event, $2 from unnest($1::text[]) as event",
      [events, Math.floor(dueMs)],
    );
  }

  /** Discards all loaded and changed objects. Called after the database has rolled back. */
  reset(): void {
    this.#loaded.clear();
    this.#changed.clear();
  }

  #remember<Known extends AnyObject>(object: Known): Known {
    this.#loaded.set(object.id, object);
    return object;
  }
}

/** Returns a copy of an object without the simulator's internal fields. */
export function removeInternalFields(object: object): Record<string, unknown> {
  const { sim: _internal, ...rest } = structuredClone(object) as Record<string, unknown>;
  return rest;
}

/**
 * Returns the time at which an object is next due for processing, in seconds since 1970; null if it isn't due at any
 * time.
 */
export function getDueTime(object: AnyObject): number | null {
  if (object.deleted) return null;
  if (object.object === "subscription") {
    if (object.status === "incomplete") return object.created + INCOMPLETE_SECONDS;
    if (object.ended_at !== null) return null;
    const end = object.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY;
    return Math.min(end, object.pending_update?.expires_at ?? end, object.pause_collection?.resumes_at ?? end);
  }
  if (object.object === "subscription_schedule")
    return object.status === "active" ? (object.current_phase?.end_date ?? null) : null;
  if (object.object === "invoice") return object.status === "open" ? object.next_payment_attempt : null;
  return object.object === "charge" ? object.sim.disputeAt : null;
}

/** Returns the id of an object's test clock, or null. */
function getTestClock(object: AnyObject): string | null {
  if ("test_clock" in object) return object.test_clock;
  return object.object === "charge" ? object.sim.clock : null;
}
