import { randomUUID } from "node:crypto";
import { type SecurityEventDetails, securityEventRules, type SecurityEventType } from "#schema/security-event.ts";
import { getAuditKey } from "#api/audit/chain/audit-key.ts";
import { createSeal } from "#api/audit/chain/seals.ts";
import type { Context } from "#api/platform/context.ts";

/** A security event to record, with the detail of its type. */
export type NewSecurityEvent = {
  [Type in SecurityEventType]: {
    readonly type: Type;
    /** The user whose account the event concerns. */
    readonly userId?: string | null;
    /** The admin who caused it. Omit for users who act on their own account. */
    readonly actorId?: string | null;
    readonly detail: SecurityEventDetails[Type];
  };
}[SecurityEventType];

/** A row of `security_events`, as {@link insertSecurityEvents} takes it. */
export interface SecurityEventRow {
  readonly id: string;
  readonly at: Date;
  readonly type: SecurityEventType;
  readonly user_id: string | null;
  readonly actor_id: string | null;
  readonly address: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly count: number;
  readonly request_id: string;
}

const columns = `id, at, type, user_id, actor_id, address, detail, count, request_id, personal_salt, personal_hash, seal`;

/** Statement that inserts rows, given as a JSON array in `$1`. See {@link toSealedJson}. */
export const insertSecurityEvents = `
  insert into security_events (${columns})
  select ${columns} from jsonb_populate_recordset(null::security_events, $1::jsonb)
  on conflict (id) do nothing`;

/** Returns rows with their seals, as {@link insertSecurityEvents} takes them. */
export function toSealedJson(services: Pick<Context, "pool">, rows: readonly SecurityEventRow[]): string {
  const key = getAuditKey(services);
  return JSON.stringify(rows.map((row) => ({ ...row, ...createSeal(key, "event", { ...row }) })));
}

/**
 * Builds the row of an event from the request that caused it.
 * @throws ValidationError if the detail doesn't follow the rules of its type
 */
export function buildSecurityEventRow(
  { clock, origin }: Pick<Context, "clock" | "origin">,
  { type, userId = null, actorId = null, detail }: NewSecurityEvent,
): SecurityEventRow {
  const checked = securityEventRules[type].noUnknown().validateSync(detail, { strict: true });
  return {
    id: randomUUID(),
    at: clock.now(),
    type,
    user_id: userId,
    actor_id: actorId === userId ? null : actorId,
    address: origin.ip,
    detail: checked,
    count: 1,
    request_id: origin.requestId,
  };
}
