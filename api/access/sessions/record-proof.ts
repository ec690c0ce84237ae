import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database/database.ts";
import { Session } from "./session.entity.ts";

/** Records that the user proved their identity in a session, in the transaction of `em` (decision 0059). */
export async function recordProof(
  { clock }: Pick<Context, "clock">,
  em: EntityManager,
  sessionId: string,
): Promise<void> {
  await em.nativeUpdate(Session, { id: sessionId, endedAt: null }, { provedAt: clock.now() });
}
