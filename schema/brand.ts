/**
 * The vendor's brand (docs/domain.md#brand). The company below is made up: its names belong to nobody, its domain is
 * reserved for examples, its legal name says that it is a sample, and its numbers are examples that no company or bank has.
 * BRAND_FILE replaces it when the server starts (`api/platform/brand-file.ts`).
 */
export const brand = {
  /** Name in headings, emails and the page title. */
  name: "Planvarro Software",
  /** The first word of the name, which the logo shows in bold, and the rest. */
  nameParts: { first: "Planvarro", rest: "Software" },
  /** Segment in routes and price IDs: `/trial-xer/`, `xer-professional`. */
  segment: "xer",
  /** Name of the add-in. */
  productName: "Planvarro",
  tagline: "Schedules that arrive with their logic, and a log of what changed.",
  locationLine: "Brisbane, Queensland, Australia",
  /** IANA name of the vendor's time zone, which defines days in accounting and reports. */
  timeZone: "Australia/Brisbane",
  networkUrl: "https://www.linkedin.com/company/planvarro-example",
  networkLabel: "LinkedIn",
  videoSiteUrl: "https://www.youtube.com/@planvarro-example",
  videoSiteLabel: "YouTube",
  mailboxes: {
    corporate: { label: "Corporate enquiries", email: "corporate@planvarro.example" },
    support: { label: "Technical support", email: "support@planvarro.example" },
    sales: { label: "Purchase, administration and general", email: "sales@planvarro.example" },
  },
  /** Sender of all emails. */
  sender: { name: "Planvarro Software", email: "no-reply@planvarro.example" },
  company: {
    legalName: "Planvarro Sample Pty Ltd",
    abn: "89 000 000 019",
    acn: "000 000 019",
    address: "1 Sample Street, Brisbane QLD 4000, Australia",
    firstRelease: "October 2019",
    /** Account for bank transfers, which invoices that aren't paid by card show. */
    bank: { accountName: "Planvarro Sample Pty Ltd", bsb: "000-000", accountNumber: "0000 0000" },
  },
  /**
   * The publisher that must have signed every published installer (`Publisher` in `installer-signature.ts`). Null allows
   * unsigned installers. PUBLISHER_NAME and PUBLISHER_CERTIFICATES replace it.
   */
  publisher: null,
  /** Path of the current production installer on this server. */
  installerPath: "/software/production/setup.exe",
} as const;
