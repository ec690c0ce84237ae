import { LockMode } from "@mikro-orm/core";
import { SoftwareStage } from "#schema/software.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { SoftwareChannel } from "./software-build.entity.ts";

/**
 * Locks and returns the channel of a stage, or null if the stage has never had a published build. Locks Production's
 * channel first, because its minimum version applies to every stage and must not change before the commit.
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

/** Locks and returns the channels of all stages, Production first as in {@link lockChannel}. */
export async function lockChannels(em: EntityManager): Promise<SoftwareChannel[]> {
  await lockChannel(em, SoftwareStage.Production);
  return em.find(
    SoftwareChannel,
    {},
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { stage: "asc" }, refresh: true },
  );
}

/** Locks and returns the channel of a stage, and creates it if needed. */
export async function lockOrCreateChannel(em: EntityManager, stage: number): Promise<SoftwareChannel> {
  await query(em, "insert into software_channels (stage, sequence) values ($1, 0) on conflict do nothing", [stage]);
  return (await lockChannel(em, stage)) as SoftwareChannel;
}

/**
 * Returns Production's minimum version, which applies to the add-ins of every stage, or null if there is none. `channel` must
 * come from {@link lockChannel}, so that the minimum doesn't change before the commit.
 */
export async function loadMinimumVersion(em: EntityManager, channel: SoftwareChannel): Promise<number[] | null> {
  if (channel.stage === SoftwareStage.Production) return channel.minimumVersion;
  const production = await em.findOne(SoftwareChannel, { stage: SoftwareStage.Production }, { refresh: true });
  return production?.minimumVersion ?? null;
}
