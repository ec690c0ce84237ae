import { LockMode } from "@mikro-orm/core";
import type { EntityManager } from "#api/platform/database.ts";
import { SoftwareChannel } from "./software-channel.entity.ts";

/** A stage's channel as it is now, until the commit; null when nothing was ever published there. */
export function lockChannel(em: EntityManager, stage: number): Promise<SoftwareChannel | null> {
  return em.findOne(SoftwareChannel, { stage }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}
