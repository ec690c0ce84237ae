import { randomUUID } from "node:crypto";
import { type GraphQLInputType, getNamedType, isInputObjectType } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { SavedReport } from "#api/features/saved-reports/saved-report.entity.ts";
import { Session } from "#api/features/auth/session.entity.ts";
import { buildGraphqlSchema } from "#api/graphql-schema.ts";
import { permissions } from "#api/permissions.ts";
import { routes } from "#api/v1/routes.ts";
import { createContact } from "#tests/factories/contact.ts";
import { openAuthorization } from "#tests/factories/device-authorization.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs, testPassword } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();

/** What belongs to somebody else; of the pairs, what does not belong to `bystander`. */
const foreign = { user: "", licence: "", device: "", invoice: "", session: "", contact: "", savedReport: "" };
const tokens: Record<"regular" | "corporate" | "admin", string> = { regular: "", corporate: "", admin: "" };
let bystander = "";
/** Of an activation that waits for somebody to say yes. */
let userCode = "";

beforeAll(async () => {
  const owner = await createUser(app);
  const licence = await createLicence(app, owner);
  const otherAdmin = await createAdmin(app);
  await signInAs(app, owner);
  foreign.user = owner.id;
  foreign.licence = licence.id;
  foreign.device = (await createDevice(app, licence)).id;
  foreign.invoice = (await createTaxInvoice(app, owner)).id;
  foreign.contact = (await createContact(app, owner)).id;
  const em = app.context().em;
  foreign.session = (await em.findOneOrFail(Session, { user: owner.id })).id;
  const input = { name: "Theirs", reportType: 1, period: "LAST_7_DAYS", format: "csv", schedule: "NONE" };
  const saved = await app.graphql(
    "mutation ($input: SavedReportInput!) { saveReport(input: $input) { id } }",
    { input },
    await signInAs(app, otherAdmin),
  );
  foreign.savedReport = saved.data.saveReport.id as string;
  tokens.regular = await signInAs(app, await createUser(app));
  tokens.corporate = await signInAs(app, await createCorporateUser(app));
  tokens.admin = await signInAs(app, await createAdmin(app));
  bystander = (await createUser(app)).id;
  ({ userCode } = await openAuthorization(app));
});

type Asker = keyof typeof tokens;
type Foreign = keyof typeof foreign;

interface RestCase {
  readonly who: readonly Asker[];
  readonly of: Foreign;
  readonly body?: object;
  /** Path parameters other than the one that is foreign. */
  readonly pair?: string;
}

const customers = ["regular", "corporate"] as const;
const reason = { machineName: `nowhere-${randomUUID()}`, reason: "Device change" };
const terms = { expiryDate: "2030-01-01", licenceCategory: 1, purchaseOrderNumber: "", projectTerm: "" };

/** Every call whose address names something that may be another's. */
const restCases: Readonly<Record<string, RestCase>> = {
  "GET /v1/licence/:id": { who: customers, of: "user" },
  "GET /v1/licence/machines/:licenceId": { who: customers, of: "licence" },
  "PUT /v1/licence/machine/:tempId/deactivate": { who: customers, of: "device", body: reason },
  "GET /v1/core/accounts/:userId/profile/settings": { who: customers, of: "user" },
  "GET /v1/core/accounts/:userId/profile": { who: customers, of: "user" },
  "GET /v1/taxInvoice/:id/download": { who: ["regular"], of: "invoice" },
  "PUT /v1/admin/licence/:userId/:licenceId": { who: ["admin"], of: "licence", body: terms, pair: ":userId" },
  "DELETE /v1/admin/licence/:userId/:licenceId": { who: ["admin"], of: "licence", pair: ":userId" },
  "DELETE /v1/users/contact/:userId/:contactId": { who: ["admin"], of: "contact", pair: ":userId" },
};

/** Addresses that name what belongs to nobody, or to all who may ask. */
const sharedAddresses = [
  "PATCH /v1/core/accounts/check-confirmation/:handle",
  "GET /v1/core/accounts/resend-confirmation-email/:handle",
  "POST /v1/core/accounts/resend-confirmation-email/:handle",
  "PATCH /v1/core/accounts/:email/password/reset/request",
  "PUT /v1/subscriptions/confirm-update-subscription/:productId",
  "PUT /v1/subscriptions/update-subscription/:productId",
  "PATCH /v1/users/:id/archive",
  "GET /v1/users/:id",
  "PATCH /v1/users/reset-deactivation-limit/:userId",
  "DELETE /v1/promoCode/:id",
  "GET /v1/admin/bulk-runs/:id/result",
];

test("every address with a parameter is either tried here or named as nobody's", () => {
  const withParameter = routes.filter(({ url }) => url.includes("/:")).map(({ method, url }) => `${method} ${url}`);
  expect([...Object.keys(restCases), ...sharedAddresses].toSorted()).toEqual(withParameter.toSorted());
});

describe.each(Object.entries(restCases))("%s", (row, { who, of, body, pair }) => {
  test.each(who)(
    "tells a %s about what is another's what it tells about what is not there, to the byte",
    async (asker) => {
      const [method = "", url = ""] = row.split(" ");
      const ask = async (id: string) => {
        const address = (pair ? url.replace(pair, bystander) : url).replace(/:\w+/, id);
        const { status, text } = await app.rest(method, address, { token: tokens[asker], ...(body ? { body } : {}) });
        return { status, text };
      };
      const answer = await ask(foreign[of]);
      expect(answer).toEqual(await ask(randomUUID()));
      expect(answer).toEqual(await ask("nonsense"));
      // The portal's device call answers with a result code, everything else with 404.
      if (url.includes("/machine/")) expect(answer).toEqual({ status: 200, text: "2" });
      else expect(answer.status).toBe(404);
    },
  );
});

interface GraphqlCase {
  readonly who: readonly Asker[];
  readonly of: Foreign;
  readonly document: string;
}

const contact =
  '{ firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "+61 7 3000 0000", contactType: 1 }';
const savedReport = '{ name: "Mine", reportType: 1, period: "LAST_7_DAYS", format: "csv", schedule: "NONE" }';
const licenceTerms = '{ expiryDate: "2030-01-01", licenceCategory: 1 }';
const proof = `{ password: "${testPassword}" }`;

/** Every root field that names by its id something that may be another's; `ID` and `PAIR` are put in. */
const graphqlCases: Readonly<Record<string, GraphqlCase>> = {
  "Query.licence": { who: customers, of: "licence", document: "{ licence(id: ID) { id } }" },
  "Mutation.deactivateDevice": {
    who: customers,
    of: "device",
    document: `mutation { deactivateDevice(input: { deviceId: ID, reason: "Device change" }) { code } }`,
  },
  "Mutation.endSession": { who: ["regular", "admin"], of: "session", document: "mutation { endSession(id: ID) }" },
  "Mutation.removePasskey": {
    who: ["regular"],
    of: "session",
    document: `mutation { removePasskey(id: ID, proof: ${proof}) }`,
  },
  "Mutation.completeSubscription": {
    who: ["regular"],
    of: "licence",
    document: "mutation { completeSubscription(id: ID) { state } }",
  },
  "Mutation.confirmDeviceAuthorization": {
    who: customers,
    of: "licence",
    document: 'mutation { confirmDeviceAuthorization(input: { userCode: "CODE", licenceId: ID }) { __typename } }',
  },
  "Query.contactChanges": {
    who: ["admin"],
    of: "contact",
    document: "{ contactChanges(id: ID, userId: PAIR, since: 1) { __typename } }",
  },
  "Mutation.updateContact": {
    who: ["admin"],
    of: "contact",
    document: `mutation { updateContact(id: ID, userId: PAIR, input: ${contact}) { id } }`,
  },
  "Mutation.deleteContact": {
    who: ["admin"],
    of: "contact",
    document: "mutation { deleteContact(id: ID, userId: PAIR) }",
  },
  "Mutation.updateLicence": {
    who: ["admin"],
    of: "licence",
    document: `mutation { updateLicence(licenceId: ID, userId: PAIR, input: ${licenceTerms}) { id } }`,
  },
  "Mutation.deactivateLicence": {
    who: ["admin"],
    of: "licence",
    document: "mutation { deactivateLicence(licenceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.blockMachineOf": {
    who: ["admin"],
    of: "device",
    document: "mutation { blockMachineOf(deviceId: ID, userId: PAIR) { id } }",
  },
  "Mutation.updateSavedReport": {
    who: ["admin"],
    of: "savedReport",
    document: `mutation { updateSavedReport(id: ID, input: ${savedReport}) { id } }`,
  },
  "Mutation.deleteSavedReport": {
    who: ["admin"],
    of: "savedReport",
    document: "mutation { deleteSavedReport(id: ID) }",
  },
};

/** Root fields whose id names what is everybody's who may ask: plans, or anything at all for admins. */
const sharedFields = [
  "Query.priceQuote",
  "Mutation.applyPromoCode",
  "Mutation.confirmSubscription",
  "Mutation.subscribe",
  "Mutation.confirmSubscriptionChange",
  "Mutation.changeSubscription",
  "Query.suggestedAddress",
  "Query.emailConfirmation",
  "Mutation.changeUnconfirmedEmail",
  "Mutation.resendConfirmationEmail",
  "Query.bulkRun",
  "Query.promoCodeChanges",
  "Query.softwareBuild",
  "Query.user",
  "Query.userChanges",
  "Mutation.addComment",
  "Mutation.addContact",
  "Mutation.addLicence",
  "Mutation.archiveUser",
  "Mutation.cancelBulkRun",
  "Mutation.clearTwoStepSignIn",
  "Mutation.deletePromoCode",
  "Mutation.deleteSoftwareDraft",
  "Mutation.endSessionsOf",
  "Mutation.freeSeat",
  "Mutation.publishSoftware",
  "Mutation.resetDeactivationCounter",
  "Mutation.restoreUser",
  "Mutation.rollBackSoftware",
  "Mutation.startBulkRun",
  "Mutation.updatePromoCode",
  "Mutation.updateUser",
  "Mutation.viewAsCustomer",
  "Mutation.withdrawSoftware",
  "Query.auditLog",
];

test("every root field that takes an id is either tried here or named as everybody's", () => {
  const takesId = (args: readonly { readonly type: GraphQLInputType }[], depth = 0): boolean =>
    args.some(({ type }) => {
      const named = getNamedType(type);
      if (named.name === "ID") return true;
      return isInputObjectType(named) && depth < 3 && takesId(Object.values(named.getFields()), depth + 1);
    });
  const withId = Object.keys(permissions).filter((row) => {
    const [typeName, fieldName = ""] = row.split(".");
    const root = typeName === "Query" ? schema.getQueryType() : typeName === "Mutation" && schema.getMutationType();
    const field = root && root.getFields()[fieldName];
    return field && takesId(field.args);
  });
  expect([...Object.keys(graphqlCases), ...sharedFields].toSorted()).toEqual(withId.toSorted());
});

describe.each(Object.entries(graphqlCases))("%s", (_row, { who, of, document }) => {
  test.each(who)("tells a %s about what is another's what it tells about what is not there", async (asker) => {
    const ask = async (id: string) => {
      const { data, errors } = await app.graphql(
        document.replace("ID", JSON.stringify(id)).replace("PAIR", JSON.stringify(bystander)).replace("CODE", userCode),
        {},
        tokens[asker],
      );
      return { data, errors: errors?.map(({ message, extensions }) => ({ message, extensions })) };
    };
    const answer = await ask(foreign[of]);
    expect(answer).toEqual(await ask(randomUUID()));
    // It got as far as looking for it.
    if (answer.errors) expect(answer.errors[0]?.extensions.code).toBe("NOT_FOUND");
    else expect(JSON.stringify(answer.data)).toMatch(/false|FAILED/);
  });
});

test("what was asked about is still there", async () => {
  const em = app.context().em;
  expect((await em.findOneOrFail(Session, foreign.session)).endedAt).toBe(null);
  expect(await em.count(SavedReport, { id: foreign.savedReport, name: "Theirs" })).toBe(1);
});
