import { randomUUID } from "node:crypto";
import { readLastLink } from "#api/audit/chain/log-last-link.ts";
import { HOUR } from "#api/platform/clock.ts";
import { inTransaction, query } from "#api/platform/database/database.ts";
import type { Sweep } from "#api/platform/jobs/sweeps.ts";
import { sendToOwners } from "./send-to-owners.ts";
import type { WebhookData } from "./webhook-data.ts";

const TYPE = "audit-link.created";

/** Name of the setting with the time and the link of the last event. */
const NAME = "sent-audit-link";

/**
 * Sends the last link of the audit log to owners' endpoints, at most once an hour and only if it is a new one. A copy of the
 * hash on another machine shows whether links were removed from the end (`audit verify --since`).
 */
export const sendLastLink: Sweep = {
  name: "send-audit-link",
  everySeconds: 600,
  async run(context) {
    await inTransaction(context, async (em) => {
      await query(em, "insert into settings (name, value) values ($1, '{}') on conflict (name) do nothing", [NAME]);
      const [sent] = await query<{ value: { at?: string; link?: number } }>(
        em,
        "select value from settings where name = $1 for update skip locked",
        [NAME],
      );
      const now = context.clock.now();
      if (!sent || now.getTime() - Date.parse(sent.value.at ?? "1970-01-01") < HOUR) return;
      const last = await readLastLink(context.pool);
      if (!last || last.number === sent.value.link) return;
      const id = randomUUID();
      const data: WebhookData[typeof TYPE] = { link: last.number, hash: last.hash };
      const payload = JSON.stringify({ id, type: TYPE, createdAt: now, data });
      await sendToOwners(context, em, TYPE, [{ id, userId: null, payload }]);
      const value = JSON.stringify({ at: now, link: last.number });
      await query(em, "update settings set value = $2 where name = $1", [NAME, value]);
    });
    return 0;
  },
};
