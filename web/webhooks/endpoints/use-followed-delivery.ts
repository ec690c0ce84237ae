import { useApolloClient } from "@apollo/client/react";
import { useEffect, useRef, useState } from "react";
import { WebhookDeliveriesDocument } from "#web/generated/graphql.ts";
import { type ShownDelivery, getWait } from "./endpoint-state.tsx";

/** Polls the delivery every second for up to 20 seconds. Later results appear only in the log. */
const POLL_INTERVAL_MS = 1_000;
const MAX_POLLS = 20;

/** Longest wait for a retry that is still followed. The first retry comes after 5 seconds, the next after a minute. */
const MAX_FOLLOWED_WAIT_MS = 10_000;

const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));

/** A delivery that the user has just requested, and its progress. */
export interface FollowedState {
  kind: "test" | "replay";
  delivery: ShownDelivery;
  /**
   * `sending` until the first attempt ends, `waiting` if that takes too long, `retrying` before a retry that is followed, and
   * `tried` once polling has ended.
   */
  state: "sending" | "retrying" | "tried" | "waiting";
}

/** Returns the followed delivery with newer data from the log, for example after a refresh. */
export function mergeNewerData(followed: FollowedState, known: ShownDelivery): FollowedState {
  const wasTried =
    known.attempts.length > followed.delivery.attempts.length || known.status !== followed.delivery.status;
  if (followed.state === "sending" || !wasTried) return followed;
  return { ...followed, delivery: known, state: followed.state === "waiting" ? "tried" : followed.state };
}

/** Follows one delivery until it succeeds, fails or has to wait long for a retry. Each poll also updates the log on the page. */
export function useFollowedDelivery(endpointId: string) {
  const client = useApolloClient();
  const [followed, setFollowed] = useState<FollowedState | null>(null);
  const latestRun = useRef(0);
  useEffect(
    () => () => {
      latestRun.current += 1;
    },
    [],
  );

  /** Returns the current delivery, or null if it can't be loaded now. */
  async function fetchDelivery(deliveryId: string): Promise<ShownDelivery | null> {
    try {
      const { data } = await client.query({
        query: WebhookDeliveriesDocument,
        variables: { id: endpointId, offset: 0, status: null },
        fetchPolicy: "network-only",
        // A failed poll is repeated and must not lead to the error page.
        context: { staysOnPage: true },
      });
      return data?.webhookEndpoint?.deliveries.rows.find(({ id }) => id === deliveryId) ?? null;
    } catch {
      return null;
    }
  }

  /** Polls until the condition is met. Returns null if that takes too long or another delivery is followed. */
  async function pollUntil(
    condition: (seen: ShownDelivery) => boolean,
    { id, polls, run }: { id: string; polls: number; run: number },
  ): Promise<ShownDelivery | null> {
    for (let done = 0; done < polls; done += 1) {
      if (done > 0) await pause();
      if (latestRun.current !== run) return null;
      const seen = await fetchDelivery(id);
      if (seen && condition(seen)) return seen;
    }
    return null;
  }

  /** Settles after the first attempt or when polling ends. Retries that come soon are followed in the background. */
  async function follow(kind: FollowedState["kind"], delivery: ShownDelivery): Promise<void> {
    latestRun.current += 1;
    const run = latestRun.current;
    const { id } = delivery;
    const update = (next: ShownDelivery, state: FollowedState["state"]) => {
      if (latestRun.current === run) setFollowed({ kind, delivery: next, state });
    };
    update(delivery, "sending");
    const tried = await pollUntil((seen) => seen.attempts.length > 0 || seen.status !== "PENDING", {
      id,
      polls: MAX_POLLS,
      run,
    });
    if (tried) void followRetry(tried);
    else update(delivery, "waiting");

    async function followRetry(seen: ShownDelivery): Promise<void> {
      const wait = getWait(seen);
      if (wait === null || wait > MAX_FOLLOWED_WAIT_MS) return update(seen, "tried");
      update(seen, "retrying");
      const polls = Math.ceil(wait / POLL_INTERVAL_MS) + MAX_POLLS;
      const isOver = (now: ShownDelivery) => now.attempts.length > seen.attempts.length || now.status !== "PENDING";
      await pause();
      const next = await pollUntil(isOver, { id, polls, run });
      if (next) await followRetry(next);
      else update(seen, "tried");
    }
  }

  function clear(): void {
    latestRun.current += 1;
    setFollowed(null);
  }

  return { followed, follow, clear };
}
