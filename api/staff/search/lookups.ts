import { contactTypes } from "#schema/contact.ts";
import { licenceStatusLabels } from "#schema/licence-types.ts";
import { productLevels } from "#schema/product-level.ts";
import { findLabel } from "#schema/closed-list.ts";
import { formatMachineName } from "#schema/machine-name.ts";
import { documentKinds } from "#schema/manual-invoice.ts";
import { formatAud } from "#schema/money.ts";
import type { Context } from "#api/platform/context.ts";
import { LicenceStatus, licenceStatusSql } from "#api/licensing/licences/licence-status.ts";
import type { ParsedSearch } from "./parse-search.ts";
import { type SearchHit, SearchHitKind, type CatalogueHit, CatalogueHitKind } from "./search-hit.type.ts";
import { softwareStages } from "#schema/software.ts";
import { normalizePromoCode } from "#api/billing/promo-codes/promo-code.entity.ts";

interface Owner {
  readonly userId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly companyName: string;
}

const ownerColumns = `u.id as "userId", u.first_name as "firstName", u.last_name as "lastName", u.company_name as "companyName"`;

/** Highest Unicode character, used as the upper bound of a prefix range. */
const LAST_CHARACTER = "\u{10FFFF}";

/** Returns a prefix condition as a range, which uses an index and treats `%` literally. */
const startsWith = (column: string, from: string, to: string) => `${column} ~>=~ ${from} and ${column} ~<~ ${to}`;

/** Finds the licence with a licence code or support code. */
export async function findLicences(context: Context, { licenceCode, supportCode }: ParsedSearch): Promise<SearchHit[]> {
  type Row = Owner & { id: string; supportCode: string; productLevel: number; status: LicenceStatus };
  const column = licenceCode ? "licence_code" : "support_code";
  const { rows } = await context.pool.query<Row>({
    name: `search-${column}`,
    text: `select l.id, l.support_code as "supportCode", l.product_level as "productLevel",
                  ${licenceStatusSql("l", "$2::timestamptz")} as status, ${ownerColumns}
             from licences l join users u on u.id = l.user_id
            where l.${column} = $1`,
    values: [licenceCode ?? supportCode, context.clock.now()],
  });
  return rows.map((row) => ({
    id: row.id,
    kind: SearchHitKind.LICENCE,
    label: row.supportCode,
    subLabel: joinParts(
      findLabel(productLevels, row.productLevel),
      licenceStatusLabels[row.status].toLowerCase(),
      formatOwner(row),
    ),
    userId: row.userId,
    licenceId: row.id,
    isPast: row.status !== LicenceStatus.ACTIVE,
    isExact: true,
  }));
}

/** Finds users by the start of their email address, or by ABN. */
export async function findUsers(context: Context, { email, abn }: ParsedSearch, most: number): Promise<SearchHit[]> {
  if (email === null && abn === null) return [];
  const columns = `${ownerColumns}, u.id, u.email, u.archived_at is not null as "isPast"`;
  const { rows } = await context.pool.query<Owner & { id: string; email: string; isPast: boolean; isExact: boolean }>({
    name: "search-users",
    text: `(select ${columns}, true as "isExact" from users u where u.abn = $1 and u.abn <> '' and u.sign_in_email is not null limit $4)
           union all
           (select ${columns}, lower(u.email) = $2 from users u
             where u.sign_in_email is not null and ${startsWith("lower(u.email)", "$2", "$3")} order by lower(u.email) using ~<~ limit $4)`,
    values: [abn, email, email === null ? null : email + LAST_CHARACTER, most],
  });
  return rows.map(toUserHit);
}

export function toUserHit(
  user: Omit<Owner, "userId"> & { id: string; email: string; isPast: boolean; isExact: boolean },
): SearchHit {
  const { id, firstName, lastName, companyName, email, isPast, isExact } = user;
  return {
    id,
    kind: SearchHitKind.USER,
    label: `${firstName} ${lastName}`,
    subLabel: joinParts(isPast && "Archived", companyName, email),
    userId: id,
    licenceId: null,
    isPast,
    isExact,
  };
}

/** Finds customers' contacts by the start of their email address, full name or last name. */
export async function findContacts(
  context: Context,
  { email, name }: ParsedSearch,
  most: number,
): Promise<SearchHit[]> {
  type Row = Owner & { id: string; first: string; last: string; email: string; contactType: number };
  const columns = `${ownerColumns}, c.id, c.first_name as first, c.last_name as last, c.email, c.contact_type as "contactType"`;
  const by = (column: string, from: string, to: string) =>
    `(select ${columns} from contacts c join users u on u.id = c.user_id
       where ${startsWith(column, from, to)} order by ${column} using ~<~ limit $5)`;
  const { rows } = await context.pool.query<Row>({
    name: "search-contacts",
    text: [
      by("lower(c.email)", "$1", "$2"),
      by("lower(c.first_name || ' ' || c.last_name)", "$3", "$4"),
      by("lower(c.last_name)", "$3", "$4"),
    ].join(" union all "),
    values: [...toPrefixRange(email), ...toPrefixRange(name), most],
  });
  return rows.map((row) => ({
    id: row.id,
    kind: SearchHitKind.CONTACT,
    label: `${row.first} ${row.last}`,
    subLabel: joinParts(row.email, findLabel(contactTypes, row.contactType), `contact of ${formatOwner(row)}`),
    userId: row.userId,
    licenceId: null,
    isPast: false,
    isExact: row.email.toLowerCase() === email,
  }));
}

/** Finds devices by the start of their machine name, active devices first. */
export async function findDevices(context: Context, { name }: ParsedSearch, most: number): Promise<SearchHit[]> {
  if (name === null) return [];
  type Row = Owner & { id: string; licenceId: string; machineName: string; productLevel: number; isPast: boolean };
  // Sort only the first 50 matches from the index, because very many machines can have similar names.
  const { rows } = await context.pool.query<Row>({
    name: "search-devices",
    text: `select d.id, d.licence_id as "licenceId", d.machine_name as "machineName", d.freed_at is not null as "isPast",
                  l.product_level as "productLevel", ${ownerColumns}
             from (select * from devices where ${startsWith("lower(machine_name)", "$1", "$2")}
                    order by lower(machine_name) using ~<~ limit 50) d
             join licences l on l.id = d.licence_id
             join users u on u.id = l.user_id
            order by d.freed_at is not null, length(d.machine_name), d.last_seen_at desc
            limit $3`,
    values: [...toPrefixRange(name), most],
  });
  return rows.map((row) => {
    const shown = formatMachineName(row.machineName);
    return {
      id: row.id,
      kind: SearchHitKind.DEVICE,
      label: shown,
      subLabel: joinParts(row.isPast && "Deactivated", formatOwner(row), findLabel(productLevels, row.productLevel)),
      userId: row.userId,
      licenceId: row.licenceId,
      isPast: row.isPast,
      isExact: [row.machineName, shown].some((one) => one.toLowerCase() === name),
    };
  });
}

/** Finds the tax invoice or adjustment note with a given number. */
export async function findInvoices(context: Context, { invoiceNumber }: ParsedSearch): Promise<SearchHit[]> {
  if (invoiceNumber === null) return [];
  type Row = Owner & { id: string; number: string; kind: string; totalCents: number };
  const { rows } = await context.pool.query<Row>({
    name: "search-invoices",
    text: `select t.id, t.number, t.kind, t.total_cents as "totalCents", ${ownerColumns}
             from tax_invoices t join users u on u.id = t.user_id
            where t.number in ($1::text, 'A-' || $1::text)`,
    values: [invoiceNumber],
  });
  return rows.map((row) => ({
    id: row.id,
    kind: SearchHitKind.INVOICE,
    label: `${findLabel(documentKinds, row.kind)} ${row.number}`,
    subLabel: joinParts(formatAud(row.totalCents), formatOwner(row)),
    userId: row.userId,
    licenceId: null,
    isPast: false,
    isExact: row.number === invoiceNumber,
  }));
}

function toPrefixRange(text: string | null): [string | null, string | null] {
  return text === null ? [null, null] : [text, text + LAST_CHARACTER];
}

function formatOwner({ firstName, lastName, companyName }: Owner): string {
  return joinParts(`${firstName} ${lastName}`, companyName);
}

function joinParts(...parts: readonly (string | false)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** Finds promo codes that aren't deleted by the start of their code. There are few, so the lookup needs no index. */
export async function findPromoCodes(context: Context, typed: string, most: number): Promise<CatalogueHit[]> {
  type Row = Record<"id" | "code", string> & { isExact: boolean; isExpired: boolean } & Record<
      "basisPoints" | "amountCents",
      number | null
    >;
  const { rows } = await context.pool.query<Row>({
    name: "search-promo-codes",
    text: `select id, code, basis_points as "basisPoints", amount_cents as "amountCents", compared_code = $1 as "isExact",
                  coalesce(expires_at <= $3, false) as "isExpired"
             from promo_codes
            where archived_at is null and starts_with(compared_code, $1)
            order by compared_code <> $1, coalesce(expires_at <= $3, false), created_at desc, id limit $2`,
    values: [normalizePromoCode(typed), most, context.clock.now()],
  });
  return rows.map(({ id, code, basisPoints, amountCents, isExact, isExpired }) => {
    const discount = basisPoints === null ? formatAud(amountCents ?? 0) : `${basisPoints / 100}%`;
    return {
      id,
      kind: CatalogueHitKind.PROMO_CODE,
      label: code,
      subLabel: `${discount} off${isExpired ? " · expired" : ""}`,
      isPast: isExpired,
      isExact,
    };
  });
}

/** Finds software builds by the start of their version, with or without "v", or of the installer's file name, newest first. */
export async function findBuilds(context: Context, typed: string, most: number): Promise<CatalogueHit[]> {
  const text = typed.toLowerCase();
  type Row = Record<"id" | "version" | "fileName" | "state", string> & {
    stage: number;
    isPast: boolean;
    isExact: boolean;
  };
  const { rows } = await context.pool.query<Row>({
    name: "search-builds",
    text: `select id, version, stage, file_name as "fileName", withdrawn_at is not null as "isPast",
                  (version = $2 or lower(file_name) = $1) as "isExact",
                  case when withdrawn_at is not null then 'withdrawn' when published_at is null then 'draft'
                       else 'published' end as state
             from software_builds
            where starts_with(version, $2) or starts_with(lower(file_name), $1)
            order by version <> $2, version_parts desc, stage desc, created_at desc, id limit $3`,
    values: [text, text.replace(/^v(?=\d)/, ""), most],
  });
  return rows.map(({ id, version, stage, fileName, state, isPast, isExact }) => ({
    id,
    kind: CatalogueHitKind.SOFTWARE_BUILD,
    label: `${version} ${findLabel(softwareStages, stage)}`,
    subLabel: `${fileName} · ${state}`,
    isPast,
    isExact,
  }));
}
