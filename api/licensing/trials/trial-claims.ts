import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { pickIdentifyingComponents, toHexadecimal } from "#api/licensing/devices/component-values.ts";
import { isSameDevice, type MachineIdentity } from "#api/licensing/devices/match-device.ts";
import { listEmailSpellings } from "#api/people/users/email-spellings.ts";

/** Maximum number of devices with an equal component that are compared one by one. */
const MAX_CANDIDATES = 200;

/**
 * Claims an email or a device for a trial licence. Replaces an older claim by the same account. A unique index decides
 * between concurrent claims by different accounts. Runs in the transaction of `em`.
 * @returns false if another account has claimed it.
 */
export async function claimForTrial(
  context: Context,
  em: EntityManager,
  claim: {
    kind: "email" | "device";
    value: string;
    components?: Readonly<Record<string, string>> | null | undefined;
    userId: string;
    licenceId: string;
  },
): Promise<boolean> {
  const rows = await query(
    em,
    `insert into trial_claims as c (id, kind, value, components, licence_id, claimed_at)
     values ($1, $2::text, case when $2::text = 'email' then hash_of_email($3) else $3::text end, $4, $5, $6)
     on conflict (kind, value) do update
       set licence_id = excluded.licence_id, components = excluded.components, claimed_at = excluded.claimed_at
     where exists (select from licences l where l.id = c.licence_id and l.user_id = $7)
     returning c.id`,
    [
      randomUUID(),
      claim.kind,
      claim.value,
      claim.components ? JSON.stringify(claim.components) : null,
      claim.licenceId,
      context.clock.now(),
      claim.userId,
    ],
  );
  return rows.length > 0;
}

/** SQL of the hashes of an address in `$2`, a list of its spellings. An array, because an index finds its values. */
const emailHashesSql = "array(select hash_of_email(spelling) from unnest($2::text[]) spelling)";

/** Returns a value as claims contain it. Older claims have hexadecimal values in the letter case that was sent. */
function listSpellings(value: string): string[] {
  const hexadecimal = toHexadecimal(value);
  return [...new Set([value, ...(hexadecimal ? [hexadecimal, hexadecimal.toUpperCase()] : [])])];
}

/** Returns whether another account's trial was activated on this machine, identified by fingerprint or components. */
export async function isClaimedByAnotherAccount(
  em: EntityManager,
  userId: string,
  machine: MachineIdentity,
): Promise<boolean> {
  const parts = Object.entries(pickIdentifyingComponents(machine.components) ?? {}).flatMap(([name, value]) =>
    listSpellings(value).map((spelling) => JSON.stringify({ [name]: spelling })),
  );
  // One index lookup per component finds candidates. The device identity rule then decides which of them match.
  const hasEqualComponent = parts.map((_, index) => ` or c.components @> $${index + 3}::jsonb`).join("");
  const candidates = await query<MachineIdentity>(
    em,
    `select c.value as fingerprint, c.components
       from trial_claims c join licences l on l.id = c.licence_id
      where c.kind = 'device' and l.user_id <> $1 and (c.value = any($2)${hasEqualComponent})
      order by (c.value = any($2)) desc, c.claimed_at desc limit ${MAX_CANDIDATES}`,
    [userId, listSpellings(machine.fingerprint), ...parts],
  );
  return candidates.some((candidate) => isSameDevice(candidate, machine));
}

/** Returns whether another account had a trial with this email or on a device that was ever activated by this account. */
export async function hadTrialOnAnotherAccount(
  em: EntityManager,
  userId: string,
  normalisedEmail: string,
): Promise<boolean> {
  const ofEmail = await query(
    em,
    `select from trial_claims c join licences l on l.id = c.licence_id
      where l.user_id <> $1 and c.kind = 'email' and c.value = any(${emailHashesSql}) limit 1`,
    [userId, listEmailSpellings(normalisedEmail)],
  );
  if (ofEmail.length > 0) return true;
  const devices = await query<MachineIdentity>(
    em,
    "select d.fingerprint, d.components from devices d join licences l on l.id = d.licence_id where l.user_id = $1",
    [userId],
  );
  for (const device of devices) if (await isClaimedByAnotherAccount(em, userId, device)) return true;
  return false;
}

/** Returns whether an account has started a trial since staff last allowed it another one, which deletes the email claim. */
export async function hasStartedTrial(em: EntityManager, userId: string): Promise<boolean> {
  const claims = await query(
    em,
    "select from trial_claims c join licences l on l.id = c.licence_id where c.kind = 'email' and l.user_id = $1",
    [userId],
  );
  return claims.length > 0;
}

/**
 * Deletes the email claims of an account's trials and any claim on its email address, so the customer can have another
 * trial. Device claims stay, because they never block their own account. Runs in the transaction of `em`.
 */
export async function releaseTrialEmail(em: EntityManager, userId: string, normalisedEmail: string): Promise<void> {
  await query(
    em,
    `delete from trial_claims
      where kind = 'email'
        and (value = any(${emailHashesSql}) or licence_id in (select id from licences where user_id = $1))`,
    [userId, listEmailSpellings(normalisedEmail)],
  );
}
