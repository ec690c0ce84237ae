import { buildStatus, mockStatus, runningSubscription } from "#tests/billing/subscriptions/mock-portal.ts";
import { type Mock, mockQuery, renderMocked } from "#tests/support/mock-query.tsx";
import { MyAccountDocument, NextStepDocument } from "#web/generated/graphql.ts";
import MyAccountPage from "#web/billing/subscriptions/my-account-page.tsx";

/** Builds a licence of the signed-in customer. */
export const buildOwnLicence = (id: string, changes: object = {}) => ({
  id,
  licenceCode: `AAAAA-${id.padStart(5, "0")}`,
  product: "Planvarro",
  subscriptionLevel: "Professional",
  productLevel: "PROFESSIONAL",
  licenceActivationType: "STANDARD",
  expiresAt: "2027-03-09T04:05:00.000Z",
  periodEndsAt: "2027-03-09T04:05:00.000Z",
  renewal: "NONE",
  status: "ACTIVE",
  numberOfMachines: 1,
  devices: [{ id: `device-${id}` }],
  createdAt: "2027-02-23T04:05:00.000Z",
  ...changes,
});

export const installer = { version: "7.2.0", sizeBytes: 18_432_000 };

/** Mocks the data of My Account. */
export function mockMyAccount(
  changes: object = {},
  published: typeof installer | null = installer,
  installers: object[] = [],
): Mock {
  const owner = { id: "user-1", firstName: "Ada", lastName: "Byron", email: "ada@demo.test", memberType: "REGULAR" };
  return mockQuery(MyAccountDocument).returns({ me: { ...owner, ...changes }, installer: published, installers });
}

/** Builds a step, with the details that it needs. */
export const buildStep = (kind: string, details: object = {}) => ({ kind, ...details });

/** Opens My Account of a customer whose subscription has this status, and who should do this next. */
export function openMyAccount(
  mocks: Mock[],
  status: object = buildStatus(runningSubscription),
  nextStep: object | null = null,
) {
  const step = mockQuery(NextStepDocument).returns({ nextStep });
  return renderMocked([...mocks, step, { ...mockStatus(status), maxUsageCount: 2 }], <MyAccountPage />, "/my-account/");
}
