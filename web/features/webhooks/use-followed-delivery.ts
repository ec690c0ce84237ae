import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { WebhookDeliveriesDocument } from "#web/generated/graphql.ts";
import type { ShownDelivery } from "./webhook-words.ts";

/** How often is looked, and how many times: what takes longer than these 20 seconds is told by the log. */
const LOOK_EVERY_MS = 1_000;
const LOOKS = 20;

/** A delivery that was just asked for, and what is known of it. */
export interface Followed {
  kind: "test" | "replay";
  delivery: ShownDelivery;
  /** `sending` until its first attempt is over; `waiting` when that takes too long to wait for. */
  state: "sending" | "tried" | "waiting";
}

/** Follows one delivery until it was tried; the log on the page learns of it meanwhile. */
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

  /** Settles when it was tried, or is not waited for any more. */
  async function follow(kind: Followed["kind"], delivery: ShownDelivery): Promise<void> {
    newest.current += 1;
    const mine = newest.current;
    setFollowed({ kind, delivery, state: "sending" });
    let seen = delivery;
    for (let looks = 0; looks < LOOKS; looks += 1) {
      if (looks > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      seen = (await look(delivery.id)) ?? seen;
      if (newest.current !== mine) return;
      if (seen.attempts.length > 0 || seen.status !== "pending") {
        setFollowed({ kind, delivery: seen, state: "tried" });
        return;
      }
    }
    setFollowed({ kind, delivery: seen, state: "waiting" });
  }

  return { followed, follow };
}
