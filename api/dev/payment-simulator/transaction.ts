import type pg from "pg";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { providerEventTypes } from "#api/platform/payments/provider-data.ts";
import { INCOMPLETE_SECONDS } from "./dates.ts";
import { missing } from "./parameters.ts";
import {
  API_VERSION,
  type AnyObject,
  createId,
  type Event,
  type Fields,
  type ObjectName,
  type ObjectTypes,
  type Page,
  prefixes,
} from "./objects.ts";

/** Filters for a list of objects. */
interface ListQuery {
  /** Values of fields by their dotted path. A field must have one of several values. */
  readonly where?: Readonly<Record<string, string | readonly string[]>>;
  /** Earliest time of creation, in seconds since 1970. */
  readonly since?: number | undefined;
}

/** Clock and webhooks of a transaction. */
export interface Environment {
  readonly now: () => Date;
  /** Returns the delay of new webhooks in milliseconds. */
  readonly webhookDelayMs: () => number;
}

/**
 * Reads and writes objects for one request or due task. Objects are loaded once and changed in place. `save` marks an
 * object as changed, and `flush` writes the changed objects.
 */
export class Transaction {
  readonly #loaded = new Map<string, AnyObject>();
  readonly #changed = new Set<AnyObject>();
  /** Current time while a due task runs, in seconds since 1970. Overrides the application's clock; null otherwise. */
  fixedTime: number | null = null;

  constructor(
    readonly client: pg.ClientBase,
    readonly environment: Environment,
  ) {}

  /** Returns the current time in seconds since 1970. */
  now(): number {
    return this.fixedTime ?? toEpochSeconds(this.environment.now());
  }

  /** Returns the objects that were loaded or saved, in this order. */
  get loaded(): Iterable<AnyObject> {
    return this.#loaded.values();
  }

  /** Loads the objects of a customer that can be due. */
  async loadDue(customer: string | null): Promise<void> {
    const { rows } = await this.client.query<{ body: AnyObject }>(
      `select body from payment_simulator.objects
        where due is not null and customer is not distinct from $1 order by number`,
      [customer],
    );
    for (const { body } of rows) this.#remember(body);
  }

  /** Returns an object by id. */
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
   * @throws ProviderError `resource_missing` with `param` if there is none.
   */
  async get<Name extends ObjectName>(name: Name, id: string, param = "id"): Promise<ObjectTypes[Name]> {
    const object = await this.find(id);
    if (!object || object.object !== name) throw missing(name, id, param);
    return object as ObjectTypes[Name];
  }

  /** Returns objects by type and id, in the order of the ids. Throws as `get` does, with the position in `param`. */
  async getAll<Name extends ObjectName>(
    name: Name,
    ids: readonly string[],
    param: string,
  ): Promise<ObjectTypes[Name][]> {
    const objects: ObjectTypes[Name][] = [];
    for (const [index, id] of ids.entries()) objects.push(await this.get(name, id, `${param}[${index}]`));
    return objects;
  }

  /** Returns all matching objects of a type, newest first. */
  async findAll<Name extends ObjectName>(name: Name, where: ListQuery["where"] = {}): Promise<ObjectTypes[Name][]> {
    return (await this.findPage(name, { where }, { limit: 100_000 }, "")).data;
  }

  /** Returns a page of the matching objects of a type, newest first, in the provider's list format. */
  async findPage<Name extends ObjectName>(
    name: Name,
    { where = {}, since }: ListQuery,
    { limit = 10, starting_after: after }: { limit?: number | undefined; starting_after?: string | undefined },
    url: string,
  ): Promise<Page<ObjectTypes[Name]>> {
    await this.flush();
    const values: unknown[] = [name];
    const bind = (value: unknown) => `$${values.push(value)}`;
    // Written as in the indexes.
    const readField = (path: string) =>
      path === "customer" ? path : /^\w+$/.test(path) ? `body->>'${path}'` : `body #>> ${bind(path.split("."))}`;
    const conditions = ["type = $1"];
    for (const [path, expected] of Object.entries(where))
      conditions.push(
        `${readField(path)} = ${typeof expected === "string" ? bind(expected) : `any(${bind(expected)})`}`,
      );
    if (since !== undefined) conditions.push(`(body->>'created')::bigint >= ${bind(since)}`);
    if (after !== undefined)
      conditions.push(`number < (select number from payment_simulator.objects where id = ${bind(after)})`);
    const { rows } = await this.client.query<{ body: ObjectTypes[Name] }>(
      `select body from payment_simulator.objects where ${conditions.join(" and ")}
       order by number desc limit ${bind(limit + 1)}`,
      values,
    );
    const data = rows.slice(0, limit).map(({ body }) => this.#remember(body));
    return { object: "list", url, has_more: rows.length > limit, data };
  }

  /** Creates an object with an id and the current time. */
  create<Name extends ObjectName>(name: Name, fields: Fields<ObjectTypes[Name]>): ObjectTypes[Name] {
    const base = { id: createId(prefixes[name]), object: name, created: this.now() };
    return this.save({ ...base, ...fields } as unknown as ObjectTypes[Name]);
  }

  /** Marks an object as changed, with new values of fields. */
  save<Saved extends AnyObject>(object: Saved, changes: Partial<Saved> = {}): Saved {
    Object.assign(object, changes);
    this.#loaded.set(object.id, object);
    this.#changed.add(object);
    return object;
  }

  /** Saves an object, records an event with its current state and queues the webhook. */
  emit(type: (typeof providerEventTypes)[number], object: AnyObject): void {
    this.save(object);
    const event: Event = {
      id: createId(prefixes.event),
      object: "event",
      api_version: API_VERSION,
      created: this.now(),
      data: { object: removeInternalFields(object) },
      livemode: false,
      type,
    } as Event;
    this.#changed.add(event);
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
      due: getDueTime(object),
      body: object,
    }));
    await this.client.query(
      `insert into payment_simulator.objects (id, type, customer, due, body)
       select id, type, customer, due, body
       from jsonb_to_recordset($1) as r(id text, type text, customer text, due bigint, body jsonb)
       on conflict (id) do update set customer = excluded.customer, due = excluded.due, body = excluded.body`,
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

  /** Returns the loaded object with the id of one from the database, which may have been changed since it was written. */
  #remember<Known extends AnyObject>(object: Known): Known {
    const loaded = this.#loaded.get(object.id);
    if (!loaded) this.#loaded.set(object.id, object);
    return (loaded as Known | undefined) ?? object;
  }
}

/** Returns a copy of an object without the simulator's internal fields. */
export function removeInternalFields(object: object): Record<string, unknown> {
  const json = JSON.stringify(object, (key, value: unknown) => (key === "sim" ? undefined : value));
  return JSON.parse(json) as Record<string, unknown>;
}

/**
 * Returns the time at which an object is next due for processing, in seconds since 1970; null if it isn't due at any
 * time.
 */
export function getDueTime(object: AnyObject): number | null {
  if (object.object === "subscription") {
    if (object.status === "incomplete") return object.created + INCOMPLETE_SECONDS;
    if (object.ended_at !== null) return null;
    const end = object.items.data[0]?.current_period_end ?? Number.POSITIVE_INFINITY;
    return Math.min(end, object.pause_collection?.resumes_at ?? end);
  }
  if (object.object === "subscription_schedule")
    return object.status === "active" ? (object.current_phase?.end_date ?? null) : null;
  if (object.object === "invoice") return object.status === "open" ? object.next_payment_attempt : null;
  return object.object === "charge" ? object.sim.disputeAt : null;
}
