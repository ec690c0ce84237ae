import type pg from "pg";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { AnyObject, ObjectName, ObjectTypes } from "./billing-objects.ts";
import { missing } from "./errors.ts";
import { newId } from "./identifiers.ts";
import type { ApiList, Event } from "./provider-objects.ts";
import { INCOMPLETE_SECONDS } from "./dates.ts";

/** The provider's API version that the simulator speaks; the one `stripe` 23.1.0 asks for. */
export const API_VERSION = "2026-10-28.endive";

/** What a list is asked for; `where` compares fields, by their dotted path in the object. */
export interface ListQuery {
  readonly customer?: string | undefined;
  readonly where?: Readonly<Record<string, string | undefined>>;
  readonly created?: { gt?: number; gte?: number; lt?: number; lte?: number } | undefined;
  readonly types?: readonly string[] | undefined;
  /** Fields that must, or must not, have one of some values. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly without?: Readonly<Record<string, readonly string[]>>;
}

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** How a transaction reaches the world around it. */
export interface Surroundings {
  readonly now: () => Date;
  /** Milliseconds by which the next webhooks are late. */
  readonly webhookDelayMs: () => number;
  /** The request that causes what happens; null for what time does. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * The objects as one request, or one step of due work, sees them. Objects are read once and changed in place;
 * `save` marks them, `flush` writes all that are marked.
 */
export class Transaction {
  readonly #known = new Map<string, AnyObject>();
  readonly #changed = new Set<AnyObject>();
  /** Moment at which a step of due work happens; it stands over every clock. */
  pinned: number | null = null;

  constructor(
    readonly client: pg.ClientBase,
    readonly surroundings: Surroundings,
  ) {}

  /** The application's present in whole seconds; that of the customer's test clock where it has one. */
  async now(customer?: string | null): Promise<number> {
    if (this.pinned !== null) return this.pinned;
    const held = customer ? await this.find(customer) : undefined;
    if (held?.object === "customer" && held.test_clock)
      return (await this.get("test_helpers.test_clock", held.test_clock)).frozen_time;
    return toEpochSeconds(this.surroundings.now());
  }

  /** The object of an id, deleted ones too. */
  async find(id: string): Promise<AnyObject | undefined> {
    const known = this.#known.get(id);
    if (known) return known;
    const { rows } = await this.client.query<{ body: AnyObject }>(
      "select body from payment_simulator.objects where id = $1",
      [id],
    );
    return rows[0] && this.#know(rows[0].body);
  }

  /** The object of a kind and id; throws `resource_missing`, naming `param`, when there is none. */
  async get<Name extends ObjectName>(name: Name, id: string, param = "id"): Promise<ObjectTypes[Name]> {
    const object = await this.find(id);
    if (!object || object.object !== name || object.deleted) throw missing(name, id, param);
    return object as ObjectTypes[Name];
  }

  /** Every object of a kind that fits, newest first. */
  async all<Name extends ObjectName>(name: Name, query: ListQuery = {}): Promise<ObjectTypes[Name][]> {
    return (await this.page(name, query, { limit: 100_000 }, "")).data;
  }

  /** A page of the objects of a kind, newest first, as the provider pages its lists. */
  async page<Name extends ObjectName>(
    name: Name,
    { customer, where = {}, created = {}, types, only = {}, without = {} }: ListQuery,
    { limit = 10, starting_after: after, ending_before: before }: Paging,
    url: string,
  ): Promise<ApiList<ObjectTypes[Name]>> {
    await this.flush();
    const values: unknown[] = [name];
    const value = (given: unknown) => `$${values.push(given)}`;
    const conditions = ["type = $1", "not body ? 'deleted'"];
    if (customer !== undefined) conditions.push(`customer = ${value(customer)}`);
    for (const [path, wanted] of Object.entries(where))
      if (wanted !== undefined) conditions.push(`body #>> ${value(path.split("."))} = ${value(wanted)}`);
    for (const [path, words] of Object.entries(only))
      conditions.push(`body #>> ${value(path.split("."))} = any(${value(words)})`);
    for (const [path, words] of Object.entries(without))
      conditions.push(`not body #>> ${value(path.split("."))} = any(${value(words)})`);
    for (const [bound, sign] of [
      ["gt", ">"],
      ["gte", ">="],
      ["lt", "<"],
      ["lte", "<="],
    ] as const)
      if (created[bound] !== undefined) conditions.push(`(body->>'created')::bigint ${sign} ${value(created[bound])}`);
    if (types) conditions.push(`body->>'type' = any(${value(types)})`);
    const selectNumber = (id: string) => `(select number from payment_simulator.objects where id = ${value(id)})`;
    if (after !== undefined) conditions.push(`number < ${selectNumber(after)}`);
    if (before !== undefined) conditions.push(`number > ${selectNumber(before)}`);
    const { rows } = await this.client.query<{ body: ObjectTypes[Name] }>(
      `select body from payment_simulator.objects where ${conditions.join(" and ")}
       order by number ${before === undefined ? "desc" : "asc"} limit ${value(limit + 1)}`,
      values,
    );
    const found = rows
      .slice(0, limit)
      .map(({ body }) => (this.#known.get(body.id) ?? this.#know(body)) as ObjectTypes[Name]);
    if (before !== undefined) found.reverse();
    return { object: "list", url, has_more: rows.length > limit, data: found };
  }

  /** Marks a new or changed object to be written. */
  save<Saved extends AnyObject>(object: Saved): Saved {
    this.#known.set(object.id, object);
    this.#changed.add(object);
    return object;
  }

  /** Records that something happened, with the object as it is now, and puts its webhook into the outbox. */
  async emit(type: string, object: AnyObject, previous?: Record<string, unknown>): Promise<void> {
    const customer = "customer" in object ? object.customer : object.object === "customer" ? object.id : null;
    const event: Event = {
      id: newId("evt"),
      object: "event",
      api_version: API_VERSION,
      created: await this.now(customer),
      data: { object: visible(object), ...(previous ? { previous_attributes: previous } : {}) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: null, idempotency_key: this.surroundings.idempotencyKey ?? null },
      type,
    };
    this.save(event);
  }

  /** Writes what is marked, in the order it was marked. */
  async flush(): Promise<void> {
    if (this.#changed.size === 0) return;
    const changed = [...this.#changed];
    this.#changed.clear();
    const rows = changed.map((object) => ({
      id: object.id,
      type: object.object,
      customer: "customer" in object ? object.customer : null,
      clock: getTestClock(object),
      due: dueAt(object),
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
    const dueMs = this.surroundings.now().getTime() + this.surroundings.webhookDelayMs();
    await this.client.query(
      "insert into payment_simulator.deliveries (event, due_ms) select event, $2 from unnest($1::text[]) as event",
      [events, Math.floor(dueMs)],
    );
  }

  /** Forgets everything that was read or marked: the database went back to before it. */
  reset(): void {
    this.#known.clear();
    this.#changed.clear();
  }

  #know<Known extends AnyObject>(object: Known): Known {
    this.#known.set(object.id, object);
    return object;
  }
}

/** A copy of the object without what is the simulator's own. */
export function visible(object: object): Record<string, unknown> {
  const { sim: _own, ...rest } = structuredClone(object) as Record<string, unknown>;
  return rest;
}

/** When time alone will change the object next, in seconds since 1970; null when never. */
function dueAt(object: AnyObject): number | null {
  if (object.deleted) return null;
  if (object.object === "subscription") {
    if (object.status === "incomplete") return object.created + INCOMPLETE_SECONDS;
    if (object.status !== "active" && object.status !== "past_due") return null;
    const end = object.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY;
    return Math.min(end, object.pending_update?.expires_at ?? end);
  }
  if (object.object === "subscription_schedule")
    return object.status === "active" ? (object.current_phase?.end_date ?? null) : null;
  if (object.object === "invoice") return object.status === "open" ? object.next_payment_attempt : null;
  return object.object === "charge" ? object.sim.disputeAt : null;
}

/** The test clock that the object's time follows. */
function getTestClock(object: AnyObject): string | null {
  if ("test_clock" in object) return object.test_clock;
  return object.object === "charge" ? object.sim.clock : null;
}
