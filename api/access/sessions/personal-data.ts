import { KNOWN_DEVICE_MS } from "./email-new-device.ts";
import { Session } from "./session.entity.ts";
import { describeDevice } from "./user-agent.ts";
import { MAX_EXPORTED_ROWS, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const sessionData: PersonalData = {
  tables: {
    refresh_tokens: { deleted: "refresh-tokens" },
    sessions: { deleted: "sessions" },
  },
  retention: [
    // A sign-in from a known device is recognised by its session.
    { table: "sessions", endedAt: "least(ended_at, expires_at)", keptMs: KNOWN_DEVICE_MS },
  ],
  erasure: [
    {
      name: "refresh-tokens",
      title: "Refresh tokens",
      effect: "deleted",
      table: "refresh_tokens",
      run: createBatchStatement(
        `delete from refresh_tokens where id in (
           select t.id from refresh_tokens t join sessions s on s.id = t.session_id
            where s.user_id = :user or s.viewer_id = :user limit :limit)`,
      ),
    },
    {
      name: "sessions",
      title: "Sessions",
      effect: "deleted",
      table: "sessions",
      run: createBatchStatement(
        "delete from sessions where id in (select id from sessions where user_id = :user or viewer_id = :user limit :limit)",
      ),
    },
  ],
  exported: {
    async sessions({ em }, user) {
      const sessions = await em.find(
        Session,
        { user: user.id, viewer: null },
        { orderBy: { createdAt: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return sessions.map(({ userAgent, ip, createdAt, lastUsedAt, endedAt }) => ({
        browser: describeDevice(userAgent),
        userAgent,
        ip,
        signedInAt: createdAt,
        lastUsedAt,
        endedAt,
      }));
    },
  },
};
