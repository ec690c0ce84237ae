import { DAY } from "#api/platform/clock.ts";
import {
  createDeletePart,
  type PersonalData,
  createBatchStatement,
  exportRows,
} from "#api/platform/database/personal-data.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { getTwoStepState } from "#api/access/two-step/two-step-state.ts";
import { KNOWN_DEVICE_MS } from "#api/access/sessions/known-device.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { describeDevice } from "#api/access/sessions/user-agent.ts";
import { pick } from "#api/platform/pick.ts";

export const registrationData: PersonalData = {
  retention: [{ table: "email_tokens", endedAt: "coalesce(spent_at, expires_at)", keptMs: 30 * DAY }],
  erasure: [
    createDeletePart("email-links", "Email links", "email_tokens", { atClosing: true }),
    createDeletePart("registration-browsers", "Browser of a registration", "registration_browsers", {
      atClosing: true,
    }),
    createDeletePart("email-changes", "Replaced email addresses", "email_changes", {
      atClosing: true,
      alsoKept: "Deleted after 7 days.",
    }),
  ],
};

export const accessTokenData: PersonalData = {
  retention: [
    // Kept long enough to investigate an incident.
    { table: "personal_access_tokens", endedAt: "least(revoked_at, expires_at)", keptMs: 90 * DAY },
  ],
  erasure: [createDeletePart("access-tokens", "Personal access tokens", "personal_access_tokens", { atClosing: true })],
  exported: {
    personalAccessTokens: exportRows(PersonalAccessToken, { orderBy: { createdAt: "desc", id: "desc" } }, (token) => ({
      ...pick(token, "name", "scopes", "networks"),
      madeAt: token.createdAt,
      ...pick(token, "expiresAt", "lastUsedAt", "lastUsedIp", "revokedAt"),
    })),
  },
};

export const twoStepData: PersonalData = {
  retention: [{ table: "two_step_challenges", endedAt: "expires_at", keptMs: DAY }],
  erasure: [
    createDeletePart("authenticator-apps", "Authenticator apps", "authenticator_apps", { atClosing: true }),
    createDeletePart("passkeys", "Passkeys", "passkeys", { atClosing: true }),
    createDeletePart("recovery-codes", "Recovery codes", "recovery_codes", { atClosing: true }),
    createDeletePart("two-step-challenges", "Two-step sign-in challenges", "two_step_challenges", { atClosing: true }),
  ],
  exported: {
    async twoStepSignIn(context, user) {
      const { onSince, appAddedAt, passkeys, recoveryCodesLeft } = await getTwoStepState(context, user.id);
      return {
        onSince,
        authenticatorAppAddedAt: appAddedAt,
        passkeys: passkeys.map(({ name, addedAt, lastUsedAt }) => ({ name, addedAt, lastUsedAt })),
        recoveryCodesLeft,
      };
    },
  },
};

export const sessionData: PersonalData = {
  retention: [
    // A sign-in from a known device is recognised by its session.
    { table: "sessions", endedAt: "least(ended_at, expires_at)", keptMs: KNOWN_DEVICE_MS },
  ],
  erasure: [
    createDeletePart("refresh-tokens", "Refresh tokens", "refresh_tokens", {
      run: createBatchStatement(
        `delete from refresh_tokens where id in (
           select t.id from refresh_tokens t join sessions s on s.id = t.session_id
            where s.user_id = :user or s.viewer_id = :user limit :limit)`,
      ),
    }),
    createDeletePart("sessions", "Sessions", "sessions", { where: "user_id = :user or viewer_id = :user" }),
  ],
  exported: {
    sessions: exportRows(
      Session,
      { of: (user) => ({ user, viewer: null }), orderBy: { createdAt: "desc" } },
      ({ userAgent, ip, createdAt: signedInAt, lastUsedAt, endedAt }) => ({
        browser: describeDevice(userAgent),
        userAgent,
        ip,
        signedInAt,
        lastUsedAt,
        endedAt,
      }),
    ),
  },
};
