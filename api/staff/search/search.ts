import { searchRules } from "#schema/rules/search.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { findUsersByWords } from "#api/staff/users/list-users.ts";
import { findContacts, findDevices, findInvoices, findLicences, findUsers, userHit } from "./lookups.ts";
import { type ReadSearch, readSearch } from "./read-search.ts";
import { type SearchHit, SearchHitKind, type SearchResult } from "./search-hit.type.ts";

/** Hits of one kind at most. */
export const MOST_HITS = 8;

const order = [
  SearchHitKind.LICENCE,
  SearchHitKind.USER,
  SearchHitKind.CONTACT,
  SearchHitKind.DEVICE,
  SearchHitKind.INVOICE,
];

/**
 * Finds users, contacts, licences, devices and invoices by whatever names them: licence code, support code, machine
 * name, email, invoice number, ABN, company, person. Each lookup is one statement by an index of its own. The text may
 * be a licence code: it is not logged, and no hit repeats it.
 * @throws AppError BAD_USER_INPUT for a text with control characters or of more than 200.
 */
export async function search(context: Context, typed: string): Promise<SearchResult> {
  const wanted = readSearch(check(searchRules, { text: typed }).text);
  if (!wanted) return { hits: [], hint: null };
  if (wanted.licenceCode || wanted.supportCode) {
    const hits = await findLicences(context, wanted);
    // Nothing else is named like that, and a mistyped one is told what it looks like.
    if (hits.length > 0 || wanted.licenceCode) return { hits, hint: hits.length > 0 ? null : wanted.hint };
  }
  const found = await Promise.all([
    findUsers(context, wanted, MOST_HITS),
    findContacts(context, wanted, MOST_HITS),
    findDevices(context, wanted, MOST_HITS),
    findInvoices(context, wanted),
    byWords(context, typed, wanted),
  ]);
  const hits = inOrder(found.flat());
  return { hits, hint: hits.length > 0 ? null : wanted.hint };
}

/** Persons and companies by their words, as the list of users finds them. */
async function byWords(context: Context, typed: string, { name, email }: ReadSearch): Promise<SearchHit[]> {
  // A whole beginning of an address was looked up already.
  if (name === null && email !== null && !email.startsWith("@")) return [];
  const found = await findUsersByWords(context, typed.trim(), MOST_HITS);
  return found.map(({ id, firstName, lastName, companyName, email: address, archivedAt }) =>
    userHit({ id, firstName, lastName, companyName, email: address, isPast: archivedAt !== null, isExact: false }),
  );
}

/** Exact matches first, then by kind; a user whom two lookups found once, and no kind more often than it may. */
function inOrder(found: readonly SearchHit[]): SearchHit[] {
  const byKey = new Map<string, SearchHit>();
  for (const hit of found.toSorted((one, other) => Number(other.isExact) - Number(one.isExact))) {
    const key = `${hit.kind}:${hit.id}`;
    if (!byKey.has(key)) byKey.set(key, hit);
  }
  const hits = [...byKey.values()];
  const kinds = order.flatMap((kind) => hits.filter((hit) => hit.kind === kind).slice(0, MOST_HITS));
  return [...kinds.filter((hit) => hit.isExact), ...kinds.filter((hit) => !hit.isExact)];
}
