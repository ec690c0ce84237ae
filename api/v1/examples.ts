import { brand } from "#schema/brand.ts";

// Examples for the documentation. All of them use the same user and licence.

/** Ids of the user, licence, device, lease and other objects in the examples. */
export const exampleIds = {
  user: "7c5a0f0e-2b9d-4a55-9a0b-6a0f3f2d1c11",
  licence: "0b6f1c1e-6b0a-4c39-9f0e-0d8a4f6f5f10",
  device: "5d1c7e02-93bd-4b61-8e55-2f6f0b7c9a21",
  lease: "7ae2b5d4-0c1f-4f0a-9b3e-61d2c8a4e732",
  other: "3c7a9d16-5e28-4d0b-a1f7-8b94e6c2d543",
} as const;

/** A sandbox code, so that requests copied from the documentation work (decision 0054). */
export const exampleLicenceCode = "SANDB-00001-00000-00000-00000-0000R";
/** A sandbox code for a concurrent licence. */
export const exampleSeatCode = "SANDB-00001-00002-00000-00000-00003";
export const exampleProof = "eyJhbGciOiJFUzI1NiIsImtpZCI6IjEifQ.eyJkYXRhIjp7fX0.c2lnbmF0dXJl";
export const exampleTokens = { access_token: "eyJhbGciOi…", refresh_token: "pT2kq…", expires_in: 600 };
export const examplePassword = { password: "correct-horse-7", confirmPassword: "correct-horse-7" };

export const exampleName = { firstName: "Ada", lastName: "Byron" };
export const exampleAddress = {
  fullAddress: "3/120 Eagle Street, Brisbane QLD 4000, Australia",
  unitNumber: "3",
  streetNumber: "120",
  streetName: "Eagle Street",
  city: "Brisbane",
  state: "QLD",
  country: "Australia",
  postCode: "4000",
};
const exampleWork = {
  email: "ada@example.com",
  mobile: "+61 400 000 000",
  companyName: "Analytical Planning",
  position: "Planner",
};
export const exampleRegistration = { ...exampleName, ...exampleWork, ...exampleAddress, isServiceProvider: false };

export const exampleProfile = {
  id: exampleIds.user,
  ...exampleName,
  ...exampleWork,
  ...exampleAddress,
  postcode: "4000",
  isServiceProvider: false,
  isTester: true,
  memberType: 1,
};

export const exampleLicence = {
  id: exampleIds.licence,
  licenceCode: exampleLicenceCode,
  product: brand.productName,
  subscriptionLevel: "Professional",
  expiryDate: "05 March, 2025",
  unformattedExpiryDate: "2025-03-05T01:00:00.000Z",
  licenceType: "Single User",
  licenceCategory: "None",
  purchaseOrderNumber: "",
  projectTerm: "",
  status: "ACTIVE",
  productLevel: 2,
  licenceTypeValue: 1,
  licenceCategoryValue: 1,
  licenceActivationType: 0,
  numberOfUsers: 1,
  numberOfMachines: 1,
  limitFloatingLeasePeriodToHours: 0,
  floatingHeartBeatIntervalMinutes: 15,
  allowOnVms: false,
};

/** The fields that every request of the add-in contains. */
export const exampleRequest = {
  licenceCode: exampleLicenceCode,
  nonce: "b6b1f0c4a2d84e5f",
  clientTimeUtc: "2025-03-05T01:00:00.000Z",
  addInVersion: "7.2.0",
  hostVersion: "16.0.17928",
  machine: {
    machineName: "PLANNING-07",
    fingerprint: "1f3870be274f6c49b3e31a0c6728957f",
    components: { board: "9e107d9d", disk: "e4d909c2", cpu: "c157a790" },
    osUser: "ABYRON",
    isVm: false,
  },
};

/** A response that lets the add-in run. */
export const exampleResponse = {
  data: {
    valid: true,
    resultCode: 1,
    code: "VALID",
    message: "The licence is valid on this device.",
    warnings: ["EXPIRING_SOON"],
    serverTimeUtc: "2025-03-05T01:00:00.000Z",
    licence: {
      id: exampleIds.licence,
      productLevel: 2,
      licenceType: 1,
      licenceActivationType: 0,
      features: ["schedule", "health-checks", "costs", "resources"],
      expiryDateUtc: "2025-03-10T01:00:00.000Z",
    },
    machine: { id: exampleIds.device },
    validateAfterUtc: "2025-03-06T01:00:00.000Z",
    graceUntilUtc: "2025-03-10T01:00:00.000Z",
  },
  proof: exampleProof,
};

/** Builds the response of a successful call that doesn't let the add-in run. */
export const createDoneExample = <More extends object>(message: string, more: More) => ({
  data: {
    valid: true,
    resultCode: 1,
    code: "VALID",
    message,
    warnings: [],
    serverTimeUtc: "2025-03-05T01:00:00.000Z",
    machine: { id: exampleIds.device },
    ...more,
  },
  proof: exampleProof,
});
