import { brand } from "#schema/brand.ts";
import { addMonths, getCalendarDay } from "#schema/days.ts";
import { suggestServiceDays } from "#schema/manual-invoice.ts";
import { formatAud, parseCents } from "#schema/money.ts";
import type { ManualInvoiceFormValues } from "#schema/manual-invoice-form.ts";
import type { ManualInvoiceFieldsFragment, ManualInvoiceInput } from "#web/generated/graphql.ts";
import type { InvoicedCustomer } from "./invoice-summary.tsx";
import { productLevels } from "#schema/product-level.ts";
import { toCode, toValue } from "#schema/closed-list.ts";

/** Value of the choice of a new licence. */
export const NEW_LICENCE = "new";

/** Text of an empty line of the form. */
export const emptyLine = {
  description: "",
  quantity: "1",
  unitPrice: "",
  firstDay: "",
  lastDay: "",
} satisfies Record<keyof ManualInvoiceFormValues["lines"][number], string>;

/** Returns the suggested end of a licence: a year after its present end, or after today for a new or expired one. */
function suggestUntil(expiresAt: string | null): string {
  const today = getCalendarDay(new Date());
  const from = expiresAt ? getCalendarDay(new Date(expiresAt), "UTC") : today;
  return addMonths(from > today ? from : today, 12);
}

/** Returns the licence that a choice of the form extends; null for a new one or none. */
function findChosenLicence(customer: InvoicedCustomer, choice: string) {
  return customer.licences.find(({ id }) => id === choice) ?? null;
}

/** Returns the terms that the form suggests for a choice of licence. */
export function suggestTerms(customer: InvoicedCustomer, choice: string) {
  const licence = findChosenLicence(customer, choice);
  return {
    productLevel: String(toValue(productLevels, licence?.productLevel ?? "PROFESSIONAL")),
    numberOfUsers: String(licence?.numberOfUsers ?? 1),
    numberOfMachines: String(licence?.numberOfMachines ?? 1),
    until: suggestUntil(licence?.expiresAt ?? null),
  };
}

/** Returns the days of service that the form suggests for a choice of licence and its end. Null for none. */
export function suggestDays(customer: InvoicedCustomer, choice: string, until: string) {
  return choice === "" ? null : suggestServiceDays(findChosenLicence(customer, choice), until, new Date());
}

/** Returns the values of the form for a draft, or for a new invoice. Selects and numbers are text. */
export function toFormValues(customer: InvoicedCustomer, draft: ManualInvoiceFieldsFragment | null) {
  const terms = draft?.licenceTerms;
  return {
    lines: draft
      ? draft.lines.map(({ description, quantity, unitCents, firstDay, lastDay }) => ({
          description,
          quantity: String(quantity),
          unitPrice: formatAud(unitCents),
          firstDay: firstDay ?? "",
          lastDay: lastDay ?? "",
        }))
      : [emptyLine],
    dueDay: draft?.dueAt ? getCalendarDay(new Date(draft.dueAt), brand.timeZone) : "",
    purchaseOrder: draft?.purchaseOrder ?? "",
    licence: terms ? (terms.licenceId ?? NEW_LICENCE) : "",
    ...(terms
      ? {
          productLevel: String(toValue(productLevels, terms.productLevel)),
          numberOfUsers: String(terms.numberOfUsers),
          numberOfMachines: String(terms.numberOfMachines),
          until: terms.until,
        }
      : suggestTerms(customer, "")),
  };
}

/** Converts validated values of the form to the input of the API. */
export function toInput(values: ManualInvoiceFormValues): ManualInvoiceInput {
  const { lines, dueDay, purchaseOrder, licence, productLevel, numberOfUsers, numberOfMachines, until } = values;
  return {
    lines: lines.map(({ description, quantity, unitPrice, firstDay, lastDay }) => ({
      description,
      quantity,
      unitCents: parseCents(unitPrice) ?? 0,
      firstDay: firstDay || null,
      lastDay: lastDay || null,
      withoutPeriod: !firstDay,
    })),
    dueDay: dueDay || null,
    purchaseOrder: purchaseOrder || null,
    licence: licence
      ? {
          licenceId: licence === NEW_LICENCE ? null : licence,
          productLevel: toCode(productLevels, productLevel),
          numberOfUsers,
          numberOfMachines,
          until: until ?? "",
        }
      : null,
  };
}
