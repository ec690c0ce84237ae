import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLOutputType,
  isEnumType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
} from "graphql";
import { expect, test } from "vitest";
import { buildGraphqlSchema } from "#api/app/graphql-schema.ts";
import { fillDemoData } from "#api/dev/demo-data.ts";
import { linkDemoSubscriptions } from "#api/dev/demo/link-subscriptions.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { TaxInvoice } from "#api/billing/invoices/tax-invoice.entity.ts";
import { signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
await fillDemoData(app.services);
await linkDemoSubscriptions(app.services, app.devPayments);
const { em } = app.context();
const findUser = (name: string) => em.findOneOrFail(User, { signInEmail: `${name}@demo.test` });
const queries = Object.values(buildGraphqlSchema().getQueryType()?.getFields() ?? {});

/** Literals of required arguments, by name. */
const literals = async (name: string): Promise<Record<string, string>> => {
  const user = await findUser(name === "admin" ? "ada" : name);
  const licence = await em.findOne(Licence, { user: user.id });
  const invoice = await em.findOne(TaxInvoice, { user: user.id });
  const ids = { userId: `"${user.id}"`, licenceId: `"${licence?.id}"`, invoiceId: `"${invoice?.id}"` };
  const period = { startDate: '"2025-01-01"', endDate: '"2026-12-31"', days: "365" };
  return { ...ids, ...period, priceId: '"xer-professional-monthly"', text: '"planning"', amountCents: "100" };
};

/** Values of required arguments of single queries. */
const own: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  taxEntries: { figure: "TOTAL_SALES" },
  moneyEntries: { figure: "COLLECTED" },
};

/** Selects every field without required arguments, down to `depth` levels of objects. */
function selectFields(type: GraphQLOutputType, depth: number): string {
  const named = getNamedType(type);
  if (!isObjectType(named)) return "";
  const fields = Object.values(named.getFields()).flatMap((field) => {
    if (field.args.some(isRequiredArgument)) return [];
    const inner = getNamedType(field.type);
    if (isScalarType(inner) || isEnumType(inner)) return [field.name];
    const selected = depth > 0 ? selectFields(field.type, depth - 1) : "";
    return selected ? [`${field.name} ${selected}`] : [];
  });
  return fields.length > 0 ? `{ ${fields.join(" ")} }` : "";
}

test.each(["admin", "ada", "trial", "corporate"])("answers every query of %s with all fields", async (name) => {
  const token = await signInAs(app, await findUser(name));
  const known = await literals(name);
  const failed: string[] = [];
  let answered = 0;
  for (const query of queries) {
    const required = query.args.filter((argument: GraphQLArgument) => isRequiredArgument(argument));
    const values = { ...known, ...own[query.name] };
    if (required.some((argument) => values[argument.name] === undefined)) continue;
    const given = required.map((argument) => `${argument.name}: ${values[argument.name]}`).join(", ");
    const document = `{ ${query.name}${given && `(${given})`} ${selectFields(query.type, 2)} }`;
    const { errors, data } = await app.graphql(document, {}, token);
    if (data) answered += 1;
    const codes = (errors ?? []).map(({ extensions }: { extensions: { code: string } }) => extensions.code);
    if (codes.some((code: string) => code === "INTERNAL" || code === "UNAVAILABLE"))
      failed.push(`${query.name}: ${JSON.stringify(errors)}`);
  }
  expect(failed).toEqual([]);
  expect(answered).toBeGreaterThan(name === "admin" ? 30 : 8);
});
