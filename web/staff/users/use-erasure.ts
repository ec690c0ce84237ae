import { useEffect } from "react";
import { type ErasureQuery, type UserHeaderFieldsFragment, useErasureQuery } from "#web/generated/graphql.ts";

const POLL_MS = 2_000;

/** Returns the erasure of a user, and whether it is known if there is one. Reads it again while it runs. */
export function useErasure({ id, isActive }: Pick<UserHeaderFieldsFragment, "id" | "isActive">): {
  erasure: ErasureQuery["erasure"];
  isKnown: boolean;
} {
  // An erased account is archived, too.
  const { data, startPolling, stopPolling } = useErasureQuery({ variables: { userId: id }, skip: isActive });
  const isRunning = data?.erasure?.state === "RUNNING";
  useEffect(() => {
    if (!isRunning) return;
    startPolling(POLL_MS);
    return stopPolling;
  }, [isRunning, startPolling, stopPolling]);
  return { erasure: data?.erasure ?? null, isKnown: isActive || data !== undefined };
}
