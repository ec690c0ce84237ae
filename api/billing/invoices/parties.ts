import { brand } from "#schema/brand.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { BankAccount, InvoiceParty } from "./tax-invoice.entity.ts";

/** Returns the vendor's current details from the brand file. */
export function getSeller(): InvoiceParty {
  const { legalName, abn, address } = brand.company;
  return { name: legalName, contact: null, abn, address: toAddressLines(address), email: brand.mailboxes.sales.email };
}

/** Returns the vendor's current account for bank transfers from the brand file. */
export function getBankAccount(): BankAccount {
  return brand.company.bank;
}

/** Splits an address into lines: the street, the town and the country. */
function toAddressLines(address: string): string[] {
  const parts = address.split(", ");
  return [parts.slice(0, -2).join(", "), ...parts.slice(-2)].filter(Boolean);
}

type BuyerDetails = Pick<
  User,
  | "firstName"
  | "lastName"
  | "companyName"
  | "abn"
  | "unitNumber"
  | "streetNumber"
  | "streetName"
  | "city"
  | "state"
  | "postCode"
  | "country"
>;

/** Returns a customer's current details: company or name, ABN and address. */
export function toBuyer(user: BuyerDetails): InvoiceParty {
  const fullName = `${user.firstName} ${user.lastName}`;
  const street = [
    user.unitNumber && `Unit ${user.unitNumber.replace(/^unit\s+/i, "")},`,
    user.streetNumber,
    user.streetName,
  ];
  return {
    name: user.companyName || fullName,
    contact: user.companyName ? fullName : null,
    abn: user.abn || null,
    address: [joinNonEmpty(street), joinNonEmpty([user.city, user.state, user.postCode]), user.country].filter(Boolean),
    email: null,
  };
}

function joinNonEmpty(parts: readonly string[]): string {
  return parts.filter(Boolean).join(" ");
}
