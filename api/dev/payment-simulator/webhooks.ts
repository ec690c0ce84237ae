import { createHmac } from "node:crypto";
import { toEpochSeconds } from "#api/platform/clock.ts";
import type { Storage } from "./storage.ts";

/** URL that receives webhooks and the secret that signs them. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

/** Faults in the delivery of webhooks. */
export interface WebhookBehaviour {
  /** Delay before new events are delivered, in seconds of the simulator's clock. Default: 0. */
  readonly delaySeconds?: number;
  /** Number of times each webhook is delivered. Default: 1. */
  readonly times?: number;
  /** Delivery order of due webhooks. Default: the order of the events. */
  readonly order?: "shuffled";
  /** Whether to drop webhooks without delivery. Default: false. */
  readonly drop?: boolean;
}

interface ClaimedWebhook {
  readonly delivery: string;
  readonly attempts: number;
  readonly body: unknown;
}

interface DeliveryResult {
  readonly delivery: string;
  readonly state: "waiting" | "delivered" | "dropped" | "failed";
  /** Attempts made now. */
  readonly attempts: number;
  readonly delayMs: number;
}

/** Delays from each failed delivery to the next attempt, in seconds. */
const RETRY_DELAYS_SECONDS = [60, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200];

/** Time a receiver has to respond, in milliseconds of real time. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Number of webhooks claimed at a time. If the process is killed, those already sent are sent again. */
const BATCH_SIZE = 100;

/** Delivers queued webhooks. Several processes may run it, but only one of them sends each webhook. */
export class WebhookSender {
  #target: WebhookTarget | null;
  #behaviour: WebhookBehaviour = {};

  constructor(
    private readonly storage: Storage,
    private readonly now: () => Date,
    target: WebhookTarget | null,
  ) {
    this.#target = target;
  }

  /** Sets the receiver of new and waiting webhooks. With null, webhooks wait until there is a receiver. */
  setTarget(target: WebhookTarget | null): void {
    this.#target = target;
  }

  /** Sets the faults in the delivery. `{}` removes them. */
  setBehaviour(behaviour: WebhookBehaviour): void {
    this.#behaviour = behaviour;
  }

  get delayMs(): number {
    return (this.#behaviour.delaySeconds ?? 0) * 1_000;
  }

  /** Delivers all due webhooks, including those that become due during the delivery, and waits for the responses. */
  async deliverDue(): Promise<void> {
    while (this.#target) {
      const due = await this.#findDue();
      let sent = 0;
      for (let from = 0; from < due.length; from += BATCH_SIZE)
        sent += await this.#deliver(due.slice(from, from + BATCH_SIZE));
      // If nothing was sent, another process is sending the rest.
      if (sent === 0) return;
    }
  }

  /** Drops the webhooks that are due now once the receiver has read their events, which start at the given moment. */
  async dropAfter(readEvents: (since: Date) => Promise<void>): Promise<void> {
    const [latest] = await this.#query<{ number: string; since: string | null }>(
      `select max(d.number) as number, min((o.body->>'created')::bigint) as since
         from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event
        where d.state = 'waiting'`,
    );
    await readEvents(latest?.since ? new Date(Number(latest.since) * 1_000) : this.now());
    await this.#query(
      `update payment_simulator.deliveries set state = 'dropped'
        where state = 'waiting' and due_ms <= $1 and number <= $2`,
      [this.now().getTime(), latest?.number],
    );
  }

  #query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.storage.runInTransaction(async (client) => (await client.query<Row>(sql, values)).rows);
  }

  /** Returns the numbers of the due deliveries, in the order in which to send them. */
  async #findDue(): Promise<string[]> {
    const due = await this.#query<{ number: string }>(
      `select number from payment_simulator.deliveries
        where state = 'waiting' and due_ms <= $1 order by ${this.#behaviour.order ? "random()" : "due_ms, number"}`,
      [this.now().getTime()],
    );
    return due.map(({ number }) => number);
  }

  /**
   * Delivers webhooks in order, except those that another process is sending or has delivered. Returns how many were sent or
   * dropped.
   */
  async #deliver(deliveries: readonly string[]): Promise<number> {
    return this.storage.runInTransaction(async (client) => {
      const { rows } = await client.query<ClaimedWebhook>(
        `select d.number as delivery, d.attempts, o.body
           from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event
          where d.number = any($1) and d.state = 'waiting' for update of d skip locked`,
        [deliveries],
      );
      const claimed = new Map(rows.map((row) => [row.delivery, row]));
      const results: DeliveryResult[] = [];
      for (const delivery of deliveries) {
        const webhook = claimed.get(delivery);
        if (webhook) results.push(await this.#attempt(webhook));
      }
      await client.query(
        `update payment_simulator.deliveries d
            set state = r.state, attempts = d.attempts + r.attempts, due_ms = d.due_ms + r."delayMs"
           from jsonb_to_recordset($1) as r(delivery bigint, state text, attempts int, "delayMs" bigint)
          where d.number = r.delivery`,
        [JSON.stringify(results)],
      );
      return results.length;
    });
  }

  /** Sends one webhook. */
  async #attempt({ delivery, attempts, body }: ClaimedWebhook): Promise<DeliveryResult> {
    const { drop = false, times = 1 } = this.#behaviour;
    if (drop) return { delivery, state: "dropped", attempts: 0, delayMs: 0 };
    let accepted = true;
    for (let time = 0; time < times; time++) accepted = (await this.#send(JSON.stringify(body))) && accepted;
    if (accepted) return { delivery, state: "delivered", attempts: 1, delayMs: 0 };
    const seconds = RETRY_DELAYS_SECONDS[attempts];
    if (seconds === undefined) return { delivery, state: "failed", attempts: 1, delayMs: 0 };
    return { delivery, state: "waiting", attempts: 1, delayMs: seconds * 1_000 };
  }

  /** Posts an event with the provider's signature header. Returns whether the receiver accepted it. */
  async #send(body: string): Promise<boolean> {
    if (!this.#target) return false;
    const { url, secret } = this.#target;
    const seconds = toEpochSeconds(this.now());
    const signature = createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex");
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": `t=${seconds},v1=${signature}`,
        },
        body,
        signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }
}
