import { User } from "#api/people/users/user.entity.ts";
import { findEmailedSecret, listEmailsTo } from "#tests/support/mailbox.ts";
import type { TestApp } from "#tests/support/test-app.ts";
import { buildRegistration, testPassword } from "./user.ts";

/** Password that the account tests change to. */
export const newPassword = "Gantt-charts-44";

/** Returns an email address without an account. */
export const freshEmail = () => buildRegistration().email as string;

/** Builds the body of the profile form: a registration without its password, with `changes`. */
export function buildProfile(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const { password: _, confirmPassword: __, ...profile } = buildRegistration(changes);
  return profile;
}

/** Returns the code of the first GraphQL error, or undefined. */
export const getErrorCode = ({ errors }: { errors?: readonly { extensions: { code: string } }[] | undefined }) =>
  errors?.[0]?.extensions.code;

/** Returns functions that call the account and sign-in routes of a test app. */
export function createAccountCalls(app: TestApp) {
  const accounts = "/v1/core/accounts";
  const requestToken = (body: object, headers = {}) => app.rest("POST", "/v1/core/auth/token", { body, headers });
  const requestReset = (email: string, headers = {}) =>
    app.rest("PATCH", `${accounts}/${encodeURIComponent(email)}/password/reset/request`, { headers });
  const loadMe = (token: string) => app.graphql("{ me { id email emailConfirmed pendingEmail } }", {}, token);
  return {
    requestReset,
    loadMe,
    register: (body: unknown) => app.rest("POST", accounts, { body }),
    confirm: (confirmationToken: unknown) =>
      app.rest("POST", `${accounts}/confirm-email`, { body: { confirmationToken } }),
    checkConfirmation: (handle: string) => app.rest("PATCH", `${accounts}/check-confirmation/${handle}`),
    resendConfirmation: (handle: string) => app.rest("POST", `${accounts}/resend-confirmation-email/${handle}`),
    changeUnconfirmedEmail: (userId: string, email: string) =>
      app.rest("PUT", `${accounts}/change-email-address/`, { body: { userId, email } }),
    updateProfile: (token: string, body: unknown) => app.rest("PUT", `${accounts}/update-profile`, { body, token }),
    signIn: (UserName: string, Password = testPassword, ClientId = "portal", headers = {}) =>
      requestToken({ UserName, Password, ClientId, GrantType: "password" }, headers),
    refresh: (RefreshToken: unknown, ClientId = "portal") =>
      requestToken({ RefreshToken, ClientId, GrantType: "refresh_token" }),
    /** Requests a reset link and returns its secret. */
    requestResetToken: async ({ email }: Pick<User, "email">) => {
      await requestReset(email);
      return findEmailedSecret(app, email);
    },
    validateResetToken: (resetToken: unknown) =>
      app.rest("POST", `${accounts}/token/validate`, { body: { resetToken } }),
    resetPassword: (resetToken: unknown, password = newPassword, confirmPassword = password) =>
      app.rest("POST", `${accounts}/password/reset`, { body: { password, confirmPassword, resetToken } }),
    changePassword: (token: string, changes: Record<string, unknown> = {}) => {
      const body = { existingPassword: testPassword, password: newPassword, confirmPassword: newPassword, ...changes };
      return app.rest("POST", `${accounts}/password/change`, { token, body });
    },
    isSignedIn: async (token: string) => (await loadMe(token)).errors === undefined,
    loadUser: ({ id }: Pick<User, "id">) => app.context().em.findOneOrFail(User, id),
    /** Returns the subjects of the emails to an address, newest first. */
    listSubjects: async (email: string) => (await listEmailsTo(app, email)).map(({ subject }) => subject),
  };
}

/** Deletes the account of a signed-in customer, as they do it themselves. */
export const deleteAccount = (app: TestApp, token: string, password = testPassword) =>
  app.graphql("deleteMyAccount { id }", { input: { password } }, token);
