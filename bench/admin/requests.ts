import { toCode } from "#schema/closed-list.ts";
import { contactTypes } from "#schema/contact.ts";
import { productLevels } from "#schema/product-level.ts";
import { memberTypes } from "#schema/user.ts";
import { buildSearch } from "./directory.ts";

/** A request from an admin, in the form that the product and PostGraphile each expect. */
export interface BenchRequest {
  readonly name: string;
  readonly product: { readonly query: string; readonly variables: Record<string, unknown> };
  readonly postgraphile: { readonly query: string; readonly variables: Record<string, unknown> };
}

const fields = "firstName lastName email companyName memberType registeredAt";

/** Builds the request for a page of ten users with related rows. */
export function buildNestedPage(): BenchRequest {
  const user = `${fields} mobile position`;
  const contact = "firstName lastName email phone contactType";
  const licence = "licenceCode productLevel expiresAt createdAt numberOfMachines projectTerm";
  const device = "machineName lastSeenAt activatedAt osUser isVm";
  const invoice = "number issuedAt paidAt description amountCents gstCents totalCents";
  const comment = "comment commentedBy commentDate";
  const commentOfPeer = "comment: text commentedBy commentDate: at";
  return {
    name: "nested page",
    product: {
      query: `query Nested($first: Int!) { users(first: $first) { rows { id ${user} contacts { id ${contact} }
        licences { id ${licence} devices { id ${device} } } comments { id ${comment} } invoices { id ${invoice} } } } }`,
      variables: { first: 10 },
    },
    postgraphile: {
      query: `query Nested($first: Int!) { allUsers(first: $first, condition: { deletedAt: null }, orderBy: [REGISTERED_AT_DESC, ROW_ID_DESC]) { nodes { rowId ${user}
        contactsByUserId(orderBy: [LAST_NAME_ASC, FIRST_NAME_ASC, ROW_ID_ASC]) { nodes { rowId ${contact} } }
        licencesByUserId(orderBy: [CREATED_AT_DESC, ROW_ID_DESC]) { nodes { rowId ${licence}
          devicesByLicenceId(condition: { freedAt: null }, orderBy: [ACTIVATED_AT_ASC, ROW_ID_ASC]) { nodes { rowId ${device} } } } }
        commentsByUserId(orderBy: [AT_DESC, ROW_ID_DESC]) { nodes { rowId ${commentOfPeer} } }
        taxInvoicesByUserId(orderBy: [ISSUED_AT_DESC, NUMBER_DESC]) { nodes { rowId ${invoice} } } } } }`,
      variables: { first: 10 },
    },
  };
}

/**
 * Builds the request for a page of the list. `total` adds the count the portal requests. `within` is a product filter that is
 * not sent to PostGraphile.
 */
export function buildListPage(
  name: string,
  options: { word?: string; offset?: number; after?: string; total?: boolean; within?: Record<string, unknown> },
): BenchRequest {
  const { word, offset = 0, after, total = false, within = {} } = options;
  const rows = `{ nodes { rowId ${fields} } ${total ? "totalCount" : ""} }`;
  return {
    name,
    product: {
      query: `query List($filter: UserFilter!, $first: Int!, $offset: Int!, $after: String) { users(filter: $filter, first: $first, offset: $offset, after: $after) { rows { id ${fields} } ${total ? "total" : ""} } }`,
      variables: {
        filter: { ...(word ? { search: word } : {}), ...within },
        first: 10,
        offset: after ? 0 : offset,
        after: after ?? null,
      },
    },
    postgraphile: word
      ? {
          query: `query Search($terms: [String!]!, $first: Int!) { searchUsers(terms: $terms, first: $first) ${rows} }`,
          variables: { terms: buildSearch(word).terms, first: 10 },
        }
      : {
          query: `query List($first: Int!, $offset: Int!) { allUsers(first: $first, offset: $offset, condition: { deletedAt: null }, orderBy: [REGISTERED_AT_DESC, ROW_ID_DESC]) ${rows} }`,
          variables: { first: 10, offset },
        },
  };
}

const nameInProduct: Record<string, string> = {
  allUsers: "users",
  searchUsers: "users",
  nodes: "rows",
  totalCount: "total",
  rowId: "id",
  contactsByUserId: "contacts",
  licencesByUserId: "licences",
  devicesByLicenceId: "devices",
  commentsByUserId: "comments",
  taxInvoicesByUserId: "invoices",
};

/** Columns with the specification's numbers, for which the product returns the codes of an enum. */
const listsByColumn = new Map(
  Object.entries({ memberType: memberTypes, contactType: contactTypes, productLevel: productLevels }),
);

/**
 * Converts PostGraphile's response to the product's format. PostGraphile nests lists in `nodes`, and returns timestamps with
 * microseconds and numbers instead of enums.
 */
export function toProductFormat(answer: unknown, depth = 0): unknown {
  if (Array.isArray(answer)) return answer.map((one) => toProductFormat(one, depth));
  if (typeof answer === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+[+Z]/.test(answer)) return new Date(answer).toISOString();
  if (typeof answer !== "object" || answer === null) return answer;
  const entries = Object.entries(answer);
  if (depth > 1 && entries.length === 1 && entries[0]?.[0] === "nodes") return toProductFormat(entries[0][1], depth);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const list = listsByColumn.get(name);
      const converted = list && typeof value === "number" ? toCode(list, value) : toProductFormat(value, depth + 1);
      return [nameInProduct[name] ?? name, converted];
    }),
  );
}
