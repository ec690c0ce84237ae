/**
 * The vendor's brand (docs/domain.md#brand). The company below is fictional, and its email addresses use reserved example
 * domains. BRAND_FILE replaces it when the server starts (`api/platform/brand-file.ts`).
 */
export const brand = {
  /** Name in headings, emails and the page title. */
  name: "XER Solutions",
  /** The first word of the name, which the logo shows in bold, and the rest. */
  nameParts: { first: "XER", rest: "Solutions" },
  /** Segment in routes and price IDs: `/trial-xer/`, `xer-professional`. */
  segment: "xer",
  /** Name of the add-in. */
  productName: "XER Bridge",
  tagline: "Schedules that arrive with their logic, and a log of what changed.",
  locationLine: "Brisbane, Queensland, Australia",
  /** IANA name of the vendor's time zone, which defines days in accounting and reports. */
  timeZone: "Australia/Brisbane",
  networkUrl: "https://www.linkedin.com/company/xer-solutions-example",
  networkLabel: "LinkedIn",
  videoSiteUrl: "https://www.youtube.com/@xer-solutions-example",
  videoSiteLabel: "YouTube",
  mailboxes: {
    corporate: { label: "Corporate enquiries", email: "corporate@xersolutions.example" },
    support: { label: "Technical support", email: "support@xersolutions.example" },
    sales: { label: "Purchase, administration and general", email: "sales@xersolutions.example" },
  },
  /** Sender of all emails. */
  sender: { name: "XER Solutions", email: "no-reply@xersolutions.example" },
  company: {
    legalName: "XER Solutions Pty Ltd",
    abn: "51 824 753 556",
    acn: "824 753 556",
    address: "Level 8, 120 Eagle Street, Brisbane QLD 4000, Australia",
    firstRelease: "October 2019",
    /** Account for bank transfers, which invoices that aren't paid by card show. */
    bank: { accountName: "XER Solutions Pty Ltd", bsb: "064-000", accountNumber: "1045 8812" },
  },
  /**
   * The publisher that must have signed every published installer (`Publisher` in `installer-signature.ts`). Null allows
   * unsigned installers. PUBLISHER_NAME and PUBLISHER_CERTIFICATES replace it.
   */
  publisher: null,
  /** Path of the current production installer on this server. */
  installerPath: "/software/production/setup.exe",
} as const;
