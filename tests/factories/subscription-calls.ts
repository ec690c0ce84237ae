import { formatDate } from "#schema/dates.ts";
import { listEmailsTo } from "#tests/support/mailbox.ts";
import type { TestApp } from "#tests/support/test-app.ts";

/** Creates the calls with which a customer reads and changes their subscription over REST. */
export const openSubscriptionCalls = (app: TestApp) => ({
  status: async (token: string) => (await app.rest("GET", "/v1/subscriptions/subscription-status", { token })).json,
  patch: (token: string, call: string, body?: unknown) =>
    app.rest("PATCH", `/v1/subscriptions/${call}`, { token, ...(body ? { body } : {}) }),
  put: (token: string, call: string) => app.rest("PUT", `/v1/subscriptions/${call}`, { token }),
  /** Returns the subjects of a customer's emails. */
  subjects: async (email: string) => (await listEmailsTo(app, email)).map(({ subject }) => subject),
});

/** Returns a day as emails and messages show it. */
export const showDay = (moment: Date) => formatDate(moment, "Australia/Brisbane");
