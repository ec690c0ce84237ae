import type { Config } from "#api/platform/config.ts";
import { defaultOperations } from "#api/platform/operations-settings.ts";

/** Returns a configuration without external services. */
export function createTestConfig(dataDir: string, changes: Partial<Config> = {}): Config {
  return {
    production: false,
    port: 0,
    host: "127.0.0.1",
    publicUrl: "http://portal.test",
    databaseUrl: null,
    dataDir,
    bucket: null,
    smtpUrl: null,
    signingKeys: null,
    encryptionKeys: null,
    releaseKeys: null,
    trustedProxies: [],
    rateLimits: false,
    stripe: null,
    checksResponses: true,
    acceptsRawCards: true,
    addressProvider: null,
    adminTwoStepRequired: false,
    adminPasskeyRequired: false,
    adminNetworks: [],
    firstAdminGraceDays: 0,
    twoPersonRelease: false,
    publisher: null,
    keepLicenceEventsMonths: null,
    invoiceReminderDays: [-3, 0, 7, 14],
    analyticsTagId: null,
    graphqlOperations: "any",
    logLevel: "silent",
    operations: defaultOperations,
    ...changes,
  };
}
