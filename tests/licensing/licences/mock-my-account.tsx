import type { MockLink } from "@apollo/client/testing";
import { MockedProvider } from "@apollo/client/testing/react";
import { buildStatus, mockStatus, runningSubscription } from "#tests/billing/subscriptions/mock-portal.ts";
import { renderWeb } from "#tests/support/render-web.tsx";
import {
  type LicenceRenewal,
  type LicenceStatus,
  MyAccountDocument,
  NextStepDocument,
  type ProductLevel,
} from "#web/generated/graphql.ts";
import MyAccountPage from "#web/billing/subscriptions/my-account-page.tsx";

/** Builds a licence of the signed-in customer. */
export function buildOwnLicence(
  id: string,
  changes: Partial<{
    status: LicenceStatus;
    subscriptionLevel: string;
    expiresAt: string;
    periodEndsAt: string;
    renewal: LicenceRenewal;
    productLevel: ProductLevel;
    devices: object[];
    usageLimit: number | null;
    usageRemaining: number | null;
    usageCount: number;
    createdAt: string;
  }> = {},
) {
  return {
    __typename: "Licence",
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
    devices: [{ __typename: "Device", id: `device-${id}` }],
    usageLimit: null,
    usageRemaining: null,
    usageCount: 0,
    createdAt: "2027-02-23T04:05:00.000Z",
    ...changes,
  };
}

function buildMe(changes: Record<string, unknown> = {}) {
  return {
    __typename: "User",
    id: "user-1",
    firstName: "Ada",
    lastName: "Byron",
    email: "ada@demo.test",
    memberType: "REGULAR",
    hasCompletedTrial: false,
    hasActiveSubscription: false,
    licences: [],
    ...changes,
  };
}

export type Mock = MockLink.MockedResponse;
export const request = { query: MyAccountDocument };
export const installer = { __typename: "Installer", version: "7.2.0", sizeBytes: 18_432_000 };
/** Mocks the data of My Account. */
export const mockMyAccount = (
  changes?: Record<string, unknown>,
  published: typeof installer | null = installer,
  installers: object[] = [],
): Mock => ({
  request,
  result: { data: { me: buildMe(changes), installer: published, installers } },
});

/** Builds a step, with the details that it needs. */
export const buildStep = (kind: string, details: object = {}) => ({
  __typename: "NextStep",
  kind,
  amountCents: null,
  at: null,
  invoiceNumber: null,
  email: null,
  confirmationHandle: null,
  version: null,
  planPrice: null,
  products: [],
  ...details,
});

const mockNextStep = (nextStep: object | null): Mock => ({
  request: { query: NextStepDocument },
  result: { data: { nextStep } },
});

/** Opens My Account of a customer whose subscription has this status, and who should do this next. */
export function openMyAccount(
  mocks: Mock[],
  status: object = buildStatus(runningSubscription),
  step: object | null = null,
) {
  return renderWeb(
    <MockedProvider mocks={[...mocks, mockNextStep(step), { ...mockStatus(status), maxUsageCount: 2 }]}>
      <MyAccountPage />
    </MockedProvider>,
    { at: "/my-account/" },
  );
}
