import { DAY } from "#api/platform/clock.ts";
import { getTwoStepState } from "./two-step-state.ts";
import { createDeletePart, type PersonalData } from "#api/platform/database/personal-data.ts";

export const twoStepData: PersonalData = {
  tables: {
    authenticator_apps: { deleted: "authenticator-apps" },
    passkeys: { deleted: "passkeys" },
    recovery_codes: { deleted: "recovery-codes" },
    two_step_challenges: { deleted: "two-step-challenges" },
  },
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
