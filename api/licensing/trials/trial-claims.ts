import { randomUUID } from "node:crypto";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import { pickIdentifyingComponents, toHexadecimal } from "#api/licensing/devices/component-values.ts";
import { isSameDevice, type MachineIdentity } from "#api/licensing/devices/match-device.ts";
import { listEmailSpellings } from "#api/people/users/email-spellings.ts";

/** Maximum number of devices with an equal component that are compared one by one with a machine. */
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

/** Returns whether another account's trial was activated on one of the machines, identified by fingerprint or components. */
export async function isClaimedByAnotherAccount(
  em: EntityManager,
  userId: string,
  machines: readonly MachineIdentity[],
): Promise<boolean> {
  const sought = machines.map(({ fingerprint, components }) => ({
    fingerprints: listSpellings(fingerprint),
    parts: Object.entries(pickIdentifyingComponents(components) ?? {}).flatMap(([name, value]) =>
      listSpellings(value).map((spelling) => ({ [name]: spelling })),
    ),
  }));
  // One index lookup per value finds candidates. The device identity rule then decides which of them match.
  const candidates = await query<MachineIdentity & { index: number }>(
    em,
    `select m.n::int - 1 as index, c.fingerprint, c.components
       from jsonb_array_elements($2::jsonb) with ordinality m(sought, n)
      cross join lateral (
        select c.value as fingerprint, c.components
          from (select f.id from jsonb_array_elements_text(m.sought->'fingerprints') s(value)
                  join trial_claims f on f.kind = 'device' and f.value = s.value
                 union
                select p.id from jsonb_array_elements(m.sought->'parts') s(part)
                  join trial_claims p on p.kind = 'device' and p.components @> s.part) equal
          join trial_claims c on c.id = equal.id join licences l on l.id = c.licence_id
         where l.user_id <> $1
         order by (m.sought->'fingerprints') @> to_jsonb(c.value) desc, c.claimed_at desc limit ${MAX_CANDIDATES}) c`,
    [userId, JSON.stringify(sought)],
  );
  return candidates.some(({ index, ...candidate }) => {
    const machine = machines[index];
    return machine !== undefined && isSameDevice(candidate, machine);
  });
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
  return isClaimedByAnotherAccount(em, userId, devices);
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
