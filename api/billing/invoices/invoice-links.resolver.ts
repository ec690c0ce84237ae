import { Ctx, FieldResolver, Resolver, Root } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import type { Context } from "#api/platform/context.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import { createRowLoader, loadReference } from "#api/platform/graphql/loaders.ts";
import { TaxEntryType } from "#api/billing/tax/tax.resolver.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { loadLicence } from "#api/licensing/licences/list-licences.ts";
import { loadUserById } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { ListedInvoiceRow } from "./invoice-list.resolver.ts";
import { InvoicedLicence, ManualInvoice } from "./manual-invoice.entity.ts";
import { TaxInvoice } from "./tax-invoice.entity.ts";

const loadTaxInvoice = createRowLoader(TaxInvoice);
const loadManualInvoice = createRowLoader(ManualInvoice);

@Resolver(() => TaxInvoice)
class TaxInvoiceLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { description: "The customer. For admins only." })
  async user(@Root() row: TaxInvoice): Promise<User> {
    return loadReference(row.user);
  }
}

@Resolver(() => ManualInvoice)
class ManualInvoiceLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { description: "The customer." })
  async user(@Root() row: ManualInvoice): Promise<User> {
    return loadReference(row.user);
  }

  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence that was issued or extended." })
  async licence(@Root() row: ManualInvoice): Promise<Licence | null> {
    return row.licence && loadReference(row.licence);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => TaxInvoice, { nullable: true, description: "The numbered document. Null in a draft." })
  async taxInvoice(@Root() row: ManualInvoice): Promise<TaxInvoice | null> {
    return row.taxInvoice && loadReference(row.taxInvoice);
  }
}

@Resolver(() => InvoicedLicence)
class InvoicedLicenceLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "licences:read" })
  @FieldResolver(() => Licence, { nullable: true, description: "The licence to extend. Null for a new licence." })
  async licence(@Root() row: InvoicedLicence, @Ctx() context: Context): Promise<Licence | null> {
    return row.licenceId === null ? null : loadLicence(context, row.licenceId);
  }
}

@Resolver(() => ListedInvoiceRow)
class ListedInvoiceLinksResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The customer." })
  async user(@Root() row: ListedInvoiceRow, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, row.userId);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => TaxInvoice, { nullable: true, description: "The numbered document. Null for a draft." })
  async taxInvoice(@Root() row: ListedInvoiceRow, @Ctx() context: Context): Promise<TaxInvoice | null> {
    return row.taxInvoiceId === null ? null : loadTaxInvoice(context, row.taxInvoiceId);
  }

  @Allow("admin", { roles: customerStaff, scope: "billing:read" })
  @FieldResolver(() => ManualInvoice, {
    nullable: true,
    description: "The invoice by hand behind the row, if there is one.",
  })
  async manualInvoice(@Root() row: ListedInvoiceRow, @Ctx() context: Context): Promise<ManualInvoice | null> {
    return row.manualInvoiceId === null ? null : loadManualInvoice(context, row.manualInvoiceId);
  }
}

@Resolver(() => TaxEntryType)
class TaxEntryLinksResolver {
  @Allow("admin", { roles: ["finance"], scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The customer." })
  async user(@Root() row: TaxEntryType, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, row.userId);
  }
}

/** Fields for the object behind each exposed ID (decision 0131). */
export const invoiceLinks = [
  InvoicedLicenceLinksResolver,
  ListedInvoiceLinksResolver,
  ManualInvoiceLinksResolver,
  TaxEntryLinksResolver,
  TaxInvoiceLinksResolver,
];
