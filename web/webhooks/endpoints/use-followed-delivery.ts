import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { WebhookDeliveriesDocument } from "#web/generated/graphql.ts";
import { type ShownDelivery, waitOf } from "./webhook-words.ts";

/** How often is looked, and how many times: what takes longer than these 20 seconds is told by the log. */
const LOOK_EVERY_MS = 1_000;
const LOOKS = 20;

/** A next attempt within this time is waited for: the second comes after 5 seconds, the third after a minute. */
const NEAR_MS = 10_000;

const pause = () => new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));

/** A delivery that was just asked for, and what is known of it. */
export interface Followed {
  kind: "test" | "replay";
  delivery: ShownDelivery;
  /**
   * `sending` until its first attempt is over; `waiting` when that takes too long to wait for; `retrying` while the next
   * attempt is waited for; `tried` when nothing is waited for any more.
   */
  state: "sending" | "retrying" | "tried" | "waiting";
}

/** What was followed, with what the log knows of it since, as after a refresh. */
export function withNews(followed: Followed, known: ShownDelivery): Followed {
  const wasTried =
    known.attempts.length > followed.delivery.attempts.length || known.status !== followed.delivery.status;
  if (followed.state === "sending" || !wasTried) return followed;
  return { ...followed, delivery: known, state: followed.state === "waiting" ? "tried" : followed.state };
}

/** Follows one delivery until its outcome, or until the next attempt is far; the log on the page learns of it meanwhile. */
export function useFollowedDelivery(endpointId: string) {
  const client = useApolloClient();
  const [followed, setFollowed] = useState<Followed | null>(null);
  const newest = useRef(0);
  useEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );

  /** The delivery as it stands, null where it can't be had now. */
  async function look(deliveryId: string): Promise<ShownDelivery | null> {
    try {
      const { data } = await client.query({
        query: WebhookDeliveriesDocument,
        variables: { id: endpointId, page: 1, status: null },
        fetchPolicy: "network-only",
        // A look that fails is followed by another, and is no reason to leave the page.
        context: { staysOnPage: true },
      });
      return data?.webhookEndpoint?.deliveries.rows.find(({ id }) => id === deliveryId) ?? null;
    } catch {
      return null;
    }
  }

  /** Looks until what is wanted has happened; null where that takes too long, or another delivery is followed by now. */
  async function lookUntil(
    isWanted: (seen: ShownDelivery) => boolean,
    { id, looks, mine }: { id: string; looks: number; mine: number },
  ): Promise<ShownDelivery | null> {
    for (let made = 0; made < looks; made += 1) {
      if (made > 0) await pause();
      if (newest.current !== mine) return null;
      const seen = await look(id);
      if (seen && isWanted(seen)) return seen;
    }
    return null;
  }

  /** Settles when it was tried once, or is not waited for any more; attempts that come soon are still followed then. */
  async function follow(kind: Followed["kind"], delivery: ShownDelivery): Promise<void> {
    newest.current += 1;
    const mine = newest.current;
    const { id } = delivery;
    const tell = (next: ShownDelivery, state: Followed["state"]) => {
      if (newest.current === mine) setFollowed({ kind, delivery: next, state });
    };
    tell(delivery, "sending");
    const tried = await lookUntil((seen) => seen.attempts.length > 0 || seen.status !== "pending", {
      id,
      looks: LOOKS,
      mine,
    });
    if (tried) void followOn(tried);
    else tell(delivery, "waiting");

    async function followOn(seen: ShownDelivery): Promise<void> {
      const wait = waitOf(seen);
      if (wait === null || wait > NEAR_MS) return tell(seen, "tried");
      tell(seen, "retrying");
      const looks = Math.ceil(wait / LOOK_EVERY_MS) + LOOKS;
      const isOver = (now: ShownDelivery) => now.attempts.length > seen.attempts.length || now.status !== "pending";
      await pause();
      const next = await lookUntil(isOver, { id, looks, mine });
      if (next) await followOn(next);
      else tell(seen, "tried");
    }
  }

  /** What was told of another delivery is over. */
  function forget(): void {
    newest.current += 1;
    setFollowed(null);
  }

  return { followed, follow, forget };
}
