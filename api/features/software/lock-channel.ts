import { LockMode } from "@mikro-orm/core";
import { SoftwareStage } from "#schema/catalogue.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { SoftwareChannel } from "./software-channel.entity.ts";

/** A stage's channel as it is now, until the commit; null when nothing was ever published there. */
export function lockChannel(em: EntityManager, stage: number): Promise<SoftwareChannel | null> {
  return em.findOne(SoftwareChannel, { stage }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** As {@link lockChannel}, for whoever publishes: the first build of a stage makes its channel. */
export async function lockOrMakeChannel(em: EntityManager, stage: number): Promise<SoftwareChannel> {
  await query(em, "insert into software_channels (stage) values ($1) on conflict do nothing", [stage]);
  return (await lockChannel(em, stage)) as SoftwareChannel;
}

/**
 * The oldest version that may run, which is Production's for the add-ins of every stage; null when all may. `channel`
 * is the one that is locked: another stage's is not, as its minimum says nothing about Production's.
 */
export async function minimumFor(em: EntityManager, channel: SoftwareChannel): Promise<number[] | null> {
  if (channel.stage === SoftwareStage.Production) return channel.minimumVersion;
  const production = await em.findOne(SoftwareChannel, { stage: SoftwareStage.Production }, { refresh: true });
  return production?.minimumVersion ?? null;
}
