/**
 * The rules whose mutants must be killed, and the tests of `npm test` that kill them. Each set needs a score of at least
 * 80 %. A set with only unit tests takes a minute or two; the others load the api for each mutant.
 */
export const sets = {
  money: {
    mutate: [
      "schema/money.ts",
      "schema/days.ts",
      "api/billing/plans/price-quote.ts",
      "api/billing/subscriptions/payment-rules.ts",
      "api/billing/invoices/invoice-status.ts",
    ],
    tests: [
      "tests/billing/plans/money.unit.test.ts",
      "tests/staff/reports/report-days.unit.test.ts",
      "tests/billing/plans/price-quote.unit.test.ts",
      "tests/billing/subscriptions/payment-rules.unit.test.ts",
      "tests/billing/invoices/invoice-status.unit.test.ts",
    ],
  },
  entitlement: {
    mutate: [
      "schema/machine-name.ts",
      "api/licensing/licences/addin.json.ts",
      "api/licensing/licences/licence-code.ts",
      "api/licensing/licences/licence-status.ts",
      "api/licensing/devices/match-device.ts",
      "api/licensing/trials/normalise-email.ts",
    ],
    tests: [
      "tests/licensing/addin/addin-json.unit.test.ts",
      "tests/licensing/licences/licence-code.unit.test.ts",
      "tests/licensing/licences/licence-status.unit.test.ts",
      "tests/licensing/devices/machine-name.unit.test.ts",
      "tests/licensing/devices/match-device.unit.test.ts",
      "tests/licensing/trials/normalise-email.unit.test.ts",
    ],
  },
  tokens: {
    mutate: [
      "api/access/sessions/access-token.ts",
      "api/access/two-step/totp.ts",
      "api/licensing/devices/machine-token.ts",
      "api/licensing/sandbox/sandbox-tokens.ts",
      "api/platform/graphql/audience.ts",
      "api/platform/graphql/harm.ts",
      "api/platform/graphql/permissions.ts",
      "api/platform/keys/secrets.ts",
      "api/platform/graphql/staff-role.ts",
      "api/platform/graphql/token-scopes.ts",
    ],
    tests: [
      "tests/access/sessions/access-token.unit.test.ts",
      "tests/access/two-step/codes.unit.test.ts",
      "tests/app/permissions/authorize.unit.test.ts",
      "tests/licensing/addin/sandbox.unit.test.ts",
      "tests/licensing/devices/machine-token.unit.test.ts",
      "tests/platform/secrets.unit.test.ts",
    ],
  },
  leases: {
    mutate: ["api/licensing/leases/lease-terms.ts", "api/licensing/leases/take-seat.ts"],
    tests: [
      "tests/licensing/leases/lease-terms.unit.test.ts",
      "tests/licensing/leases/lease.v1.test.ts",
      "tests/licensing/leases/seats.api.test.ts",
      "tests/licensing/addin/offline.v1.test.ts",
      "tests/webhooks/endpoints/changes.api.test.ts",
    ],
  },
};
