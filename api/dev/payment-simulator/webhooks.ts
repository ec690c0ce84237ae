import { createHmac } from "node:crypto";
import type { Storage } from "./storage.ts";

/** URL that receives webhooks and the secret that signs them. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

export interface PendingWebhook {
  readonly delivery: string;
  readonly event: string;
  readonly type: string;
}

/** Faults in the delivery of webhooks. */
export interface WebhookBehaviour {
  /** Delay before new events are delivered, in seconds of the simulator's clock. Default: 0. */
  readonly delaySeconds?: number;
  /** Number of times each webhook is delivered. Default: 1. */
  readonly times?: number;
  /** Delivery order of due webhooks. Default: the order of the events. */
  readonly order?: "happened" | "shuffled" | ((due: readonly PendingWebhook[]) => readonly PendingWebhook[]);
  /** Webhooks to drop without delivery. Default: none. */
  readonly drop?: boolean | ((webhook: PendingWebhook) => boolean);
}

/** Controls the webhooks of a running simulator. */
export interface Webhooks {
  /** Sets the receiver of new and waiting webhooks. With null, webhooks wait until there is a receiver. */
  setTarget(target: WebhookTarget | null): void;
  /** Sets the faults in the delivery. `{}` removes them. */
  setBehaviour(behaviour: WebhookBehaviour): void;
  /** Returns all deliveries in the order of their events. */
  listDeliveries(): Promise<
    { event: string; type: string; attempts: number; state: "waiting" | "delivered" | "dropped" | "failed" }[]
  >;
}

/** Delays from each failed delivery to the next attempt, in seconds. */
const RETRY_DELAYS_SECONDS = [60, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200];

/** Time a receiver has to respond, in milliseconds of real time. */
const RESPONSE_TIMEOUT_MS = 10_000;

/** Creates the `stripe-signature` header for a request body sent at `moment`. */
export function createSignature(body: string, secret: string, moment: Date): string {
  const seconds = Math.floor(moment.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Delivers queued webhooks. Several processes may run it, but only one of them sends each webhook. */
export class WebhookSender implements Webhooks {
  #target: WebhookTarget | null;
  #behaviour: WebhookBehaviour = {};

  constructor(
    private readonly storage: Storage,
    private readonly now: () => Date,
    target: WebhookTarget | null,
  ) {
    this.#target = target;
  }

  setTarget(target: WebhookTarget | null): void {
    this.#target = target;
  }

  setBehaviour(behaviour: WebhookBehaviour): void {
    this.#behaviour = behaviour;
  }

  get delayMs(): number {
    return (this.#behaviour.delaySeconds ?? 0) * 1_000;
  }

  async listDeliveries() {
    return this.storage.runInTransaction(async (client) => {
      const { rows } = await client.query<Awaited<ReturnType<Webhooks["listDeliveries"]>>[number]>(
        `select d.event, o.body->>'type' as type, d.attempts, d.state
         from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event order by d.number`,
      );
      return rows;
    });
  }

  /** Delivers all due webhooks, including those that become due during the delivery, and waits for the responses. */
  async deliverDue(): Promise<void> {
    while (this.#target) {
      const due = await this.#findDue();
      if (due.length === 0) return;
      let sent = 0;
      for (const webhook of this.#sortDue(due)) if (await this.#deliver(webhook)) sent++;
      // Another process is sending the rest.
      if (sent === 0) return;
    }
  }

  async #findDue(): Promise<PendingWebhook[]> {
    return this.storage.runInTransaction(async (client) => {
      const { rows } = await client.query<PendingWebhook>(
        `select d.number as delivery, d.event, o.body->>'type' as type
         from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event
         where d.state = 'waiting' and d.due_ms <= $1 order by d.due_ms, d.number`,
        [this.now().getTime()],
      );
      return rows;
    });
  }

  #sortDue(due: PendingWebhook[]): readonly PendingWebhook[] {
    const { order = "happened" } = this.#behaviour;
    if (typeof order === "function") return order(due);
    if (order === "happened") return due;
    return due
      .map((webhook) => ({ webhook, place: Math.random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ webhook }) => webhook);
  }

  /** Delivers one webhook. Returns false if another process is sending it or has delivered it. */
  async #deliver(webhook: PendingWebhook): Promise<boolean> {
    return this.storage.runInTransaction(async (client) => {
      const { rows } = await client.query<{ attempts: number; body: unknown }>(
        `select d.attempts, o.body from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event
         where d.number = $1 and d.state = 'waiting' for update of d skip locked`,
        [webhook.delivery],
      );
      const [row] = rows;
      if (!row) return false;
      const { drop = false, times = 1 } = this.#behaviour;
      const mark = (state: string, delayMs = 0) =>
        client.query(
          "update payment_simulator.deliveries set state = $2, attempts = attempts + $3, due_ms = due_ms + $4 where number = $1",
          [webhook.delivery, state, state === "dropped" ? 0 : 1, delayMs],
        );
      if (typeof drop === "function" ? drop(webhook) : drop) {
        await mark("dropped");
        return true;
      }
      let accepted = true;
      for (let time = 0; time < times; time++) accepted = (await this.#send(JSON.stringify(row.body))) && accepted;
      if (accepted) await mark("delivered");
      else {
        const seconds = RETRY_DELAYS_SECONDS[row.attempts];
        await (seconds === undefined ? mark("failed") : mark("waiting", seconds * 1_000));
      }
      return true;
    });
  }

  async #send(body: string): Promise<boolean> {
    const target = this.#target;
    if (!target) return false;
    try {
      const response = await fetch(target.url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "stripe-signature": createSignature(body, target.secret, this.now()),
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
