import { DAY } from "#api/platform/clock.ts";
import { PersonalAccessToken } from "./personal-access-token.entity.ts";
import { MAX_EXPORTED_ROWS, createDeletePart, type PersonalData } from "#api/platform/database/personal-data.ts";

export const accessTokenData: PersonalData = {
  tables: {
    personal_access_tokens: { deleted: "access-tokens" },
  },
  retention: [
    // Kept long enough to investigate an incident.
    { table: "personal_access_tokens", endedAt: "least(revoked_at, expires_at)", keptMs: 90 * DAY },
  ],
  erasure: [createDeletePart("access-tokens", "Personal access tokens", "personal_access_tokens", { atClosing: true })],
  exported: {
    async personalAccessTokens({ em }, user) {
      const tokens = await em.find(
        PersonalAccessToken,
        { user: user.id },
        { orderBy: { createdAt: "desc", id: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return tokens.map(({ name, scopes, networks, createdAt, expiresAt, lastUsedAt, lastUsedIp, revokedAt }) => ({
        name,
        scopes,
        networks,
        madeAt: createdAt,
        expiresAt,
        lastUsedAt,
        lastUsedIp,
        revokedAt,
      }));
    },
  },
};
