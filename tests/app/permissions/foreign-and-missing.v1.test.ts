import { randomUUID } from "node:crypto";
import { type GraphQLInputType, getNamedType, isInputObjectType } from "graphql";
import { beforeAll, expect, test } from "vitest";
import { SavedReport } from "#api/staff/saved-reports/saved-report.entity.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { permissions } from "#api/app/permissions.ts";
import { routes } from "#api/v1/routes.ts";
import { createContact } from "#tests/factories/contact.ts";
import { openAuthorization } from "#tests/factories/device-authorization.ts";
import { createTaxInvoice } from "#tests/factories/invoice.ts";
import { createToken } from "#tests/factories/personal-access-token.ts";
import { createDevice, createLicence } from "#tests/factories/licence.ts";
import { createAdmin, createCorporateUser, createUser, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

import {
  type CallerRole,
  type ForeignResource,
  graphqlCases,
  restCases,
  sharedRoutes,
  sharedFields,
} from "./foreign-resources.ts";

const app = await startTestApp();
const schema = buildGraphqlSchema();

/** Ids of other users' resources. If a path has two ids, the resource doesn't belong to `bystander`. */
const foreign = {} as Record<ForeignResource, string>;
const tokens = {} as Record<CallerRole, string>;
let bystander = "";
/** Code of a device authorization that waits for confirmation. */
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
  const input = { name: "Foreign report", reportType: "USERS", period: "LAST_7_DAYS", format: "CSV", schedule: "NONE" };
  const staff = await signInAs(app, otherAdmin);
  foreign.savedReport = (await app.call("saveReport { id }", { input }, staff)).id;
  const view = { list: "USERS", name: "Foreign view" };
  foreign.savedView = (await app.call("saveView { id }", { input: view }, staff)).id;
  const ownersToken = await signInAs(app, owner);
  const hook = { url: "https://hooks.example.com/", description: "", eventTypes: ["LICENCE_ISSUED"] };
  const added = await app.call("addWebhookEndpoint { endpoint { id } }", { input: hook }, ownersToken);
  foreign.endpoint = added.endpoint.id;
  foreign.delivery = (await app.call("sendTestWebhook { id }", { id: foreign.endpoint }, ownersToken)).id;
  foreign.accessToken = (await createToken(app, owner, ["licences:read"])).token.id;
  tokens.regular = await signInAs(app, await createUser(app));
  tokens.corporate = await signInAs(app, await createCorporateUser(app));
  tokens.admin = await signInAs(app, await createAdmin(app));
  bystander = (await createUser(app)).id;
  ({ userCode } = await openAuthorization(app));
});

test("covers every REST path with a parameter or lists it as shared", () => {
  const withParameter = routes.filter(({ url }) => url.includes("/:")).map(({ method, url }) => `${method} ${url}`);
  expect([...Object.keys(restCases), ...sharedRoutes].toSorted()).toEqual(withParameter.toSorted());
});

/** Sends a request as every caller at the same time, and returns the answers by caller. */
const sendAsEach = async <Answer>(
  callers: readonly CallerRole[],
  sendOnce: (token: string) => Promise<Answer>,
): Promise<Record<string, Answer>> =>
  Object.fromEntries(
    await Promise.all(callers.map(async (caller) => [caller, await sendOnce(tokens[caller])] as const)),
  );

test.each(Object.entries(restCases))(
  "%s answers every caller about a foreign resource as about a missing one",
  async (row, { callers, resource, body, pair }) => {
    const [method = "", url = ""] = row.split(" ");
    const send = (id: string) =>
      sendAsEach(callers, async (token) => {
        const address = (pair ? url.replace(pair, bystander) : url).replace(/:\w+/, id);
        const { status, text } = await app.rest(method, address, { token, ...(body ? { body } : {}) });
        return { status, text };
      });
    const missing = await send(randomUUID());
    for (const { status } of Object.values(missing)) expect(status).toBe(404);
    expect([await send(foreign[resource]), await send("nonsense")]).toEqual([missing, missing]);
  },
);

test("covers every root field with an id or lists it as shared", () => {
  const takesId = (args: readonly { readonly type: GraphQLInputType }[], depth = 0): boolean =>
    args.some(({ type }) => {
      const named = getNamedType(type);
      if (named.name === "ID") return true;
      return isInputObjectType(named) && depth < 3 && takesId(Object.values(named.getFields()), depth + 1);
    });
  const withId = Object.keys(permissions.operations).filter((row) => {
    const [typeName, fieldName = ""] = row.split(".");
    const root = typeName === "Query" ? schema.getQueryType() : typeName === "Mutation" && schema.getMutationType();
    const field = root && root.getFields()[fieldName];
    return field && takesId(field.args);
  });
  expect([...Object.keys(graphqlCases), ...sharedFields].toSorted()).toEqual(withId.toSorted());
});

test.each(Object.entries(graphqlCases))(
  "%s answers every caller about a foreign resource as about a missing one",
  async (row, [callers, resource, call]) => {
    const document = `${row.replace(".", " { ").replace(/^\w/, (first) => first.toLowerCase())}${call} }`;
    const send = (id: string) =>
      sendAsEach(callers, async (token) => {
        const ids = { ID: JSON.stringify(id), PAIR: JSON.stringify(bystander), CODE: userCode };
        const query = document.replace(/\b(ID|PAIR|CODE)\b/g, (name) => ids[name as keyof typeof ids]);
        const { data, errors } = await app.graphql(query, {}, token);
        return { data, errors: errors?.map(({ message, extensions }) => ({ message, extensions })) };
      });
    const missing = await send(randomUUID());
    // The requests got as far as looking for the resource.
    for (const { data, errors } of Object.values(missing))
      expect(errors?.[0]?.extensions.code ?? JSON.stringify(data)).toMatch(/^NOT_FOUND$|false|FAILED|null/);
    expect([await send(foreign[resource]), await send("nonsense")]).toEqual([missing, missing]);
  },
);

test("leaves the foreign resources unchanged", async () => {
  const em = app.context().em;
  expect((await em.findOneOrFail(Session, foreign.session)).endedAt).toBe(null);
  expect(await em.count(SavedReport, { id: foreign.savedReport, name: "Foreign report" })).toBe(1);
});
