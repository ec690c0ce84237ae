import { randomUUID } from "node:crypto";
import type { SecurityEventType } from "#schema/security-events.ts";
import { type SecurityEventDetails, securityEventRules } from "#schema/rules/security-event.ts";
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

/** Statement that inserts rows, given as a JSON array in `$1`. */
export const insertSecurityEvents = `
  insert into security_events (id, at, type, user_id, actor_id, address, detail, count, request_id)
  select id, at, type, user_id, actor_id, address, detail, count, request_id
    from jsonb_to_recordset($1::jsonb) as one (id uuid, at timestamptz, type text, user_id uuid, actor_id uuid,
         address text, detail jsonb, count int, request_id text)
  on conflict (id) do nothing`;

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
