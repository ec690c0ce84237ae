import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { Allow } from "#api/platform/graphql/declare.ts";
import type { Context } from "#api/platform/context.ts";
import { createReadCost } from "#api/platform/graphql/page.ts";
import { SearchResult, type SearchHit, SearchHitKind } from "./search-hit.type.ts";
import { searchRules } from "#schema/search.ts";
import { check } from "#api/platform/validate.ts";
import { lacksStaffRole } from "#api/platform/graphql/staff-role.ts";
import { customerStaff, type StaffRole } from "#schema/staff-roles.ts";
import { findUsersByWords } from "#api/staff/users/list-users.ts";
import {
  findBuilds,
  findPromoCodes,
  findContacts,
  findDevices,
  findInvoices,
  findLicences,
  findUsers,
  toUserHit,
} from "./lookups.ts";
import { type ParsedSearch, parseSearch } from "./parse-search.ts";

@Resolver()
export class SearchResolver {
  @Allow("admin", { roles: "all", scope: "users:read" })
  @Query(() => SearchResult, {
    complexity: createReadCost(170),
    description:
      "Finds users, contacts, licences, devices and invoices by licence code, support code, machine name, email, invoice number, " +
      "ABN, company or name; promo codes by their start; software builds by version or file name.",
  })
  async search(
    @Arg("text", () => String, { description: "The text to find, at least two characters." }) text: string,
    @Ctx() context: Context,
  ): Promise<SearchResult> {
    return search(context, text);
  }
}

/** Maximum number of hits of each kind. */
const MAX_HITS = 8;

const nothing = { hits: [], promoCodeHits: [], buildHits: [] };

const kindOrder = [
  SearchHitKind.LICENCE,
  SearchHitKind.USER,
  SearchHitKind.CONTACT,
  SearchHitKind.DEVICE,
  SearchHitKind.INVOICE,
];

/**
 * Finds users, contacts, licences, devices, invoices, promo codes and software builds, as far as the caller's staff roles
 * include them. Each lookup is one statement; those
 * of large tables use a dedicated index. The text may be a licence code, so it is not logged and no hit contains it.
 * @throws AppError BAD_USER_INPUT if the text has control characters or more than 200 characters.
 */
export async function search(context: Context, typed: string): Promise<SearchResult> {
  const { text } = check(searchRules, { text: typed });
  const parsed = parseSearch(text);
  if (!parsed) return { ...nothing, hint: null };
  const sees = (roles: readonly StaffRole[]) => !lacksStaffRole(context.actor, roles);
  const buildHits = sees(["release"]) ? await findBuilds(context, text, MAX_HITS) : [];
  // Release sees neither customers nor promo codes.
  if (!sees(customerStaff)) return { ...nothing, buildHits, hint: null };
  if (parsed.licenceCode || parsed.supportCode) {
    const hits = await findLicences(context, parsed);
    // A licence code can't match anything else, so stop here, with a hint about typos.
    if (hits.length > 0 || parsed.licenceCode) {
      return { ...nothing, hits, hint: hits.length > 0 ? null : parsed.hint };
    }
  }
  const [promoCodeHits, ...found] = await Promise.all([
    findPromoCodes(context, text, MAX_HITS),
    findUsers(context, parsed, MAX_HITS),
    findContacts(context, parsed, MAX_HITS),
    findDevices(context, parsed, MAX_HITS),
    findInvoices(context, parsed),
    findUsersBySearchWords(context, text, parsed),
  ]);
  const hits = sortHits(found.flat());
  const count = hits.length + promoCodeHits.length + buildHits.length;
  return { hits, promoCodeHits, buildHits, hint: count > 0 ? null : parsed.hint };
}

/** Finds users by the words of their name or company, like the user list. */
async function findUsersBySearchWords(
  context: Context,
  text: string,
  { name, email }: ParsedSearch,
): Promise<SearchHit[]> {
  // `findUsers` has already looked up this beginning of an email address.
  if (name === null && email !== null && !email.startsWith("@")) return [];
  const found = await findUsersByWords(context, text, MAX_HITS);
  return found.map(({ id, firstName, lastName, companyName, email: address, archivedAt }) =>
    toUserHit({ id, firstName, lastName, companyName, email: address, isPast: archivedAt !== null, isExact: false }),
  );
}

/** Sorts exact matches first, then by kind. Removes duplicates and limits the hits of each kind. */
function sortHits(found: readonly SearchHit[]): SearchHit[] {
  const byKey = new Map<string, SearchHit>();
  for (const hit of found.toSorted((one, other) => Number(other.isExact) - Number(one.isExact))) {
    const key = `${hit.kind}:${hit.id}`;
    if (!byKey.has(key)) byKey.set(key, hit);
  }
  const hits = [...byKey.values()];
  const kinds = kindOrder.flatMap((kind) => hits.filter((hit) => hit.kind === kind).slice(0, MAX_HITS));
  return [...kinds.filter((hit) => hit.isExact), ...kinds.filter((hit) => !hit.isExact)];
}
