import { createHmac } from "node:crypto";
import type { Storage } from "./storage.ts";

/** Where webhooks go, and the secret they are signed with. */
export interface WebhookTarget {
  readonly url: string;
  readonly secret: string;
}

/** One webhook that waits to be delivered. */
export interface PendingWebhook {
  readonly delivery: string;
  readonly event: string;
  readonly type: string;
}

/** How webhooks behave; what is left out behaves well. */
export interface WebhookBehaviour {
  /** By how many seconds of the simulator's clock events from now on are late. */
  readonly delaySeconds?: number;
  /** How often each is delivered; default 1. */
  readonly times?: number;
  /** In which order those that are due are delivered; default as they happened. */
  readonly order?: "happened" | "shuffled" | ((due: readonly PendingWebhook[]) => readonly PendingWebhook[]);
  /** Which are lost for good. */
  readonly drop?: boolean | ((webhook: PendingWebhook) => boolean);
}

/** The webhooks of a running simulator. */
export interface Webhooks {
  /** Sends them there from now on; those that wait, too. Null: nowhere, they wait. */
  target(target: WebhookTarget | null): void;
  /** Sets how they behave; `{}` puts all back. */
  behave(behaviour: WebhookBehaviour): void;
  /** Every delivery so far, in the order the events happened. */
  deliveries(): Promise<
    { event: string; type: string; attempts: number; state: "waiting" | "delivered" | "dropped" | "failed" }[]
  >;
}

/** Seconds from a failed delivery to the next try. */
const BACK_OFF_SECONDS = [60, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200];

/** A receiver that does not answer within this many real milliseconds has failed. */
const ANSWER_MS = 10_000;

/** The `stripe-signature` header of a body sent at `moment`. */
export function createSignature(body: string, secret: string, moment: Date): string {
  const seconds = Math.floor(moment.getTime() / 1_000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex")}`;
}

/** Delivers what the outbox holds; several processes may, and each webhook is sent by one of them at a time. */
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

  target(target: WebhookTarget | null): void {
    this.#target = target;
  }

  behave(behaviour: WebhookBehaviour): void {
    this.#behaviour = behaviour;
  }

  get delayMs(): number {
    return (this.#behaviour.delaySeconds ?? 0) * 1_000;
  }

  async deliveries() {
    return this.storage.inTransaction(async (client) => {
      const { rows } = await client.query<Awaited<ReturnType<Webhooks["deliveries"]>>[number]>(
        `select d.event, o.body->>'type' as type, d.attempts, d.state
         from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event order by d.number`,
      );
      return rows;
    });
  }

  /** Delivers all that is due, and what becomes due by it, and waits for the answers. */
  async deliverDue(): Promise<void> {
    while (this.#target) {
      const due = await this.#due();
      if (due.length === 0) return;
      let sent = 0;
      for (const webhook of this.#ordered(due)) if (await this.#deliver(webhook)) sent++;
      // Another process is sending the rest.
      if (sent === 0) return;
    }
  }

  async #due(): Promise<PendingWebhook[]> {
    return this.storage.inTransaction(async (client) => {
      const { rows } = await client.query<PendingWebhook>(
        `select d.number as delivery, d.event, o.body->>'type' as type
         from payment_simulator.deliveries d join payment_simulator.objects o on o.id = d.event
         where d.state = 'waiting' and d.due_ms <= $1 order by d.due_ms, d.number`,
        [this.now().getTime()],
      );
      return rows;
    });
  }

  #ordered(due: PendingWebhook[]): readonly PendingWebhook[] {
    const { order = "happened" } = this.#behaviour;
    if (typeof order === "function") return order(due);
    if (order === "happened") return due;
    return due
      .map((webhook) => ({ webhook, place: Math.random() }))
      .sort((one, other) => one.place - other.place)
      .map(({ webhook }) => webhook);
  }

  /** False when the webhook is in other hands, or gone. */
  async #deliver(webhook: PendingWebhook): Promise<boolean> {
    return this.storage.inTransaction(async (client) => {
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
        const seconds = BACK_OFF_SECONDS[row.attempts];
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
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }
}
