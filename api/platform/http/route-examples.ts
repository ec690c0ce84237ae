import { brand } from "#schema/brand.ts";
import type { Param } from "./define-route.ts";
import { vendorTimeName } from "#schema/days.ts";

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

/** Path and query parameters that several calls share. */
export const param = {
  user: { description: "Id of the user, as in the list of users", example: exampleIds.user },
  self: { description: "Id of the signed-in user. Admins can use the id of any user", example: exampleIds.user },
  licence: { description: "Id of the licence (not the licence code)", example: exampleIds.licence },
  device: { description: "`tempId` of the device, as in the list of a licence's devices", example: exampleIds.device },
  contact: { description: "Id of the contact, as in `contacts` of the user", example: exampleIds.other },
  handle: {
    description: "Handle of the confirmation page, as returned by the registration",
    example: exampleIds.other,
  },
  price: { description: "Id of the plan price", example: "xer-professional-yearly" },
  promoCode: { description: "Id of the promo code (not the code itself)", example: exampleIds.other },
  taxInvoice: { description: "Id of the tax invoice or adjustment note (not its number)", example: exampleIds.other },
  bulkRun: { description: "Id of the run, as returned by the upload", example: exampleIds.other },
  email: { description: "Email address of the account", example: "ada@example.com" },
} as const satisfies Record<string, Param>;

const inZone = (column: string) => `${column} (${vendorTimeName})`;
const toCsv = (columns: string, row: string) => `${columns}\r\n${row}\r\n`;

const time = "2025-03-05T11:00:00+10:00";

/** The first lines of each CSV file, for the documentation. A test compares the columns with the files. */
export const csvExamples = {
  statement: toCsv("Date,Entry,Number,Description,Amount (AUD),Balance (AUD)", "01/07/2025,Opening balance,,,,0.00"),
  users: toCsv("First Name,Last Name,Email", "Ada,Byron,ada@example.com"),
  report: toCsv(
    `${inZone("Date joined")},First Name,Last Name,Company,Position,Email,Email confirmed,Phone,User type,Account,${inZone("Archived")},Tester,Service provider,ABN,Unit number,Street number,Street name,City,State,Post Code,Country,Referrer,Issued W-8 form,Completed security information,Completed software QA,Subscribed to newsletter,Completed trial,Two-step sign-in,Subscription,Subscription status,Running licences,Annual deactivation limit,Deactivations counted,User ID`,
    `${time},Ada,Byron,Analytical Planning,Planner,ada@example.com,Yes,61400000000,Regular,Active,,No,No,,3,120,Eagle Street,Brisbane,QLD,4000,Australia,,No,No,No,No,Yes,No,Professional,Active,1,3,0,${exampleIds.user}`,
  ),
  usage: toCsv(
    `${inZone("Date")},${inZone("Last date")},Count,Machine name,Windows user,Event,Result code,Result,Answer,Add-in version,Host version,IP address`,
    `${time},${time},1,BNE-PLAN-007,CORP\\ada,Licence check,1,VALID,The licence is valid on this device.,7.4.0,16.0.17328,203.0.113.7`,
  ),
  securityEvents: toCsv(
    `${inZone("Time")},Event,Type,User,By,IP Address,Count,Details,Request`,
    `${time},Sign-in failed,sign-in.failed,ada@example.com,,203.0.113.7,1,,${exampleIds.other}`,
  ),
  tax: toCsv("Label,Figure,Whole dollars,Exact amount (AUD),Documents", 'G1,"Total sales, including GST",164,164.95,1'),
  revenue: toCsv(
    "First day,Last day,Kind,Invoiced (AUD),Revenue (AUD),Deferred (AUD),Cash collected (AUD),Refunded (AUD),Failed payments (AUD),Recovered (AUD)",
    "2025-01-01,2025-01-31,Actual,149.95,149.95,0.00,164.95,0.00,0.00,0.00",
  ),
  journal: toCsv(
    "Date,Event,Number,Customer,Description,Account,Debit (AUD),Credit (AUD)",
    "05/03/2025,Document,100005,Ada Byron,Professional,Accounts receivable,164.95,",
  ),
  invoices: toCsv(
    `Number,Status,Document,${inZone("Date")},${inZone("Due date")},${inZone("Date paid")},Customer,Company,Description,GST (AUD),Total (AUD),Balance (AUD)`,
    `100005,Open,Tax invoice,${time},2025-04-04T23:59:59+10:00,,Ada Byron,Analytical Planning,Professional,15.00,164.95,164.95`,
  ),
  subscriptions: toCsv(
    `Customer,Company,Email,Plan,Status,Amount (AUD),${inZone("Renewal")},Past due (AUD),Reason,${inZone("Next retry")}`,
    `Ada Byron,Analytical Planning,ada@example.com,"Professional, monthly",Past due,164.95,${time},164.95,Insufficient funds,2025-03-08T11:00:00+10:00`,
  ),
  bulkResult: toCsv(
    "Row,Subject,Outcome,Details,User ID,Licence ID,Support code",
    `2,ada@example.com,Done,Created.,${exampleIds.user},,`,
  ),
};
