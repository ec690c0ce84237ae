import { brand } from "#schema/brand.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { InvoiceParty } from "./tax-invoice.entity.ts";

/** The vendor as the brand file has it now. */
export function sellerNow(): InvoiceParty {
  const { legalName, abn, address } = brand.company;
  return { name: legalName, contact: null, abn, address: addressLines(address), email: brand.mailboxes.sales.email };
}

/** The street, then town and country on lines of their own. */
function addressLines(address: string): string[] {
  const parts = address.split(", ");
  return [parts.slice(0, -2).join(", "), ...parts.slice(-2)].filter(Boolean);
}

/** A customer as they stand now: company or person, ABN, address. */
export function buyerOf(user: User): InvoiceParty {
  const person = `${user.firstName} ${user.lastName}`;
  const street = [
    user.unitNumber && `Unit ${user.unitNumber.replace(/^unit\s+/i, "")},`,
    user.streetNumber,
    user.streetName,
  ];
  return {
    name: user.companyName || person,
    contact: user.companyName ? person : null,
    abn: user.abn || null,
    address: [inOne(street), inOne([user.city, user.state, user.postCode]), user.country].filter(Boolean),
    email: null,
  };
}

function inOne(parts: readonly string[]): string {
  return parts.filter(Boolean).join(" ");
}
