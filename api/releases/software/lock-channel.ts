import { LockMode } from "@mikro-orm/core";
import { SoftwareStage } from "#schema/catalogue.ts";
import { type EntityManager, query } from "#api/platform/database.ts";
import { SoftwareChannel } from "./software-channel.entity.ts";

/**
 * A stage's channel as it is now, until the commit; null when nothing was ever published there. Production's, whose
 * minimum binds every stage, is held before any other, so that the minimum stays until the commit as well.
 */
export async function lockChannel(em: EntityManager, stage: number): Promise<SoftwareChannel | null> {
  if (stage !== SoftwareStage.Production)
    await em.findOne(
      SoftwareChannel,
      { stage: SoftwareStage.Production },
      { lockMode: LockMode.PESSIMISTIC_READ, refresh: true },
    );
  return em.findOne(SoftwareChannel, { stage }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Every stage's channel, for whoever sets what binds all; Production's is locked first, as {@link lockChannel} does. */
export async function lockChannels(em: EntityManager): Promise<SoftwareChannel[]> {
  await lockChannel(em, SoftwareStage.Production);
  return em.find(
    SoftwareChannel,
    {},
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { stage: "asc" }, refresh: true },
  );
}

/** As {@link lockChannel}, for whoever publishes: the first build of a stage makes its channel. */
export async function lockOrMakeChannel(em: EntityManager, stage: number): Promise<SoftwareChannel> {
  await query(em, "insert into software_channels (stage) values ($1) on conflict do nothing", [stage]);
  return (await lockChannel(em, stage)) as SoftwareChannel;
}

/**
 * The oldest version that may run, which is Production's for the add-ins of every stage; null when all may. `channel`
 * is one that {@link lockChannel} gave, so that the answer holds until the commit.
 */
export async function minimumFor(em: EntityManager, channel: SoftwareChannel): Promise<number[] | null> {
  if (channel.stage === SoftwareStage.Production) return channel.minimumVersion;
  const production = await em.findOne(SoftwareChannel, { stage: SoftwareStage.Production }, { refresh: true });
  return production?.minimumVersion ?? null;
}
