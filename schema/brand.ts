/**
 * The one brand file (docs/domain.md#brand): replace it and the whole site carries another name.
 * The company below is invented; addresses use reserved example domains.
 */
export const brand = {
  /** Name in headings, mails and the page title. */
  name: "XER Solutions",
  /** Segment in routes and price ids: `/trial-xer/`, `xer-professional`. */
  segment: "xer",
  /** The add-in that is sold. */
  productName: "XER Bridge",
  tagline: "Schedules that arrive with their logic, and a log of what changed.",
  locationLine: "Brisbane, Queensland, Australia",
  /** IANA name of the time zone in which the vendor keeps its books: its days begin and end there, in reports too. */
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
  /** Sender of all mail. */
  sender: { name: "XER Solutions", email: "no-reply@xersolutions.example" },
  company: {
    legalName: "XER Solutions Pty Ltd",
    abn: "51 824 753 556",
    acn: "824 753 556",
    address: "Level 8, 120 Eagle Street, Brisbane QLD 4000, Australia",
    firstRelease: "October 2019",
  },
  /** Path of the current production installer on this server, whatever its version. */
  installerPath: "/software/production/setup.exe",
} as const;
