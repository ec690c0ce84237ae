import { Type } from "typebox";
import { customerStaff } from "#schema/staff-roles.ts";
import { downloadTaxInvoice, downloadTaxInvoiceAsStaff } from "#api/billing/invoices/invoice-file.ts";
import { listTaxInvoices } from "#api/billing/invoices/list-tax-invoices.ts";
import { toTaxInvoiceJson, taxInvoiceShape } from "#api/billing/invoices/tax-invoice.json.ts";
import { exampleIds } from "./examples.ts";
import { defineRoute, FileResponse } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Tax invoices";

export const taxInvoiceRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/taxInvoice",
    operation: "Query.taxInvoices",
    tag,
    summary: "List your tax invoices and adjustment notes. The newest come first. Amounts are in AUD cents",
    response: Type.Array(taxInvoiceShape),
    example: [
      {
        id: exampleIds.other,
        date: "2026-09-21T01:00:00.000Z",
        invoiceNumber: "100003",
        description: "Professional, yearly subscription",
        amount: 156_640,
      },
    ],
    handler: async ({ context }) => (await listTaxInvoices(context)).map(toTaxInvoiceJson),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/taxInvoice/:id/download",
    params: { id: param.taxInvoice },
    allow: { audience: "regular", scope: "billing:read" },
    tag,
    summary: "Download a tax invoice or adjustment note. Returns a PDF named Invoice-{invoiceNumber}.pdf",
    fileTypes: ["application/pdf"],
    handler: async ({ context, params }) => new FileResponse(await downloadTaxInvoice(context, params.id ?? "")),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/core/accounts/invoices/:id/download",
    params: { id: param.taxInvoice },
    allow: { audience: "customer", scope: "billing:read" },
    tag,
    summary:
      "Download a tax invoice or adjustment note as a customer of either type. Returns a PDF named Invoice-{invoiceNumber}.pdf",
    fileTypes: ["application/pdf"],
    handler: async ({ context, params }) => new FileResponse(await downloadTaxInvoice(context, params.id ?? "")),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/admin/taxInvoice/:id/download",
    params: { id: param.taxInvoice },
    allow: { audience: "admin", roles: customerStaff, scope: "billing:read", harm: "none" },
    tag,
    summary: "Download a customer's tax invoice or adjustment note. Returns a PDF named Invoice-{invoiceNumber}.pdf",
    fileTypes: ["application/pdf"],
    handler: async ({ context, params }) => new FileResponse(await downloadTaxInvoiceAsStaff(context, params.id ?? "")),
  }),
];
