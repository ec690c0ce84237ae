import { DAY_MS, formatIsoDay } from "#schema/dates.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import queries from "./examples.gql?raw";

export interface Example {
  /** Name of the operation. */
  readonly name: string;
  readonly title: string;
  /** The comment above the query. */
  readonly description: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Examples for one kind of caller. */
export interface ExampleGroup {
  readonly label: string;
  readonly role: "visitor" | "regular" | "corporate" | StaffRole;
  readonly examples: readonly Example[];
}

/** Each example's query: a comment that describes it, and an operation. */
const texts = queries.split(/\n(?=# )/);

function example(name: string, title: string, variables: Example["variables"] = {}): Example {
  const query = texts.find((text) => new RegExp(`^(query|mutation) ${name}\\b`, "m").test(text)) ?? "";
  return { name, title, description: /^# (.*)/.exec(query)?.[1] ?? "", query, variables };
}

/** Returns the date `days` days before `today` as `YYYY-MM-DD` in UTC. */
function dayBefore(today: Date, days: number): string {
  return formatIsoDay(new Date(today.getTime() - days * DAY_MS), "UTC");
}

/** Returns the examples by role. Variables with dates cover the 90 days before `today`, and match the demo data. */
export function exampleGroups(today: Date): readonly ExampleGroup[] {
  const range = { startDate: dayBefore(today, 90), endDate: dayBefore(today, 0) };
  const savedReport = {
    name: `Licences, saved ${today.toISOString().slice(0, 19).replace("T", " ")}`,
    reportType: "LICENCES",
    period: "THIS_MONTH",
    format: "CSV",
    schedule: "NONE",
  };
  return [
    {
      label: "Visitors",
      role: "visitor",
      examples: [
        example("PlansOnSale", "Plans on sale"),
        example("SuggestedAddresses", "Suggested addresses", { country: "Australia", text: "Brisb" }),
      ],
    },
    {
      label: "Customers",
      role: "regular",
      examples: [
        example("MyLicences", "My licences and devices", { events: 3 }),
        example("RefusedMachines", "Rejected machines", { events: 10 }),
        example("MyInvoices", "Subscription and tax invoices"),
        example("PricedWithPromoCode", "Price with a promo code", {
          input: { planPriceId: "xer-professional-yearly", promoCode: "WELCOME10" },
        }),
        example("CreateToken", "Create a personal access token", {
          input: { name: "Schema explorer", scopes: ["PROFILE_READ", "LICENCES_READ"], expiresInDays: 1 },
        }),
      ],
    },
    { label: "Corporate customers", role: "corporate", examples: [example("SeatsNow", "Seats in use")] },
    {
      label: "Staff: support",
      role: "support",
      examples: [
        example("WholeUser", "A user with everything", { search: "ada@demo.test", events: 2 }),
        example("FiftyUsers", "Fifty users with everything", { users: 50, entries: 10 }),
        example("FindAnything", "Find anything", { text: "ada" }),
        example("ListOfUsers", "List of users", {
          filter: { userTypes: ["REGULAR", "CORPORATE"], includeArchived: false },
          order: { by: "LAST_NAME" },
          first: 20,
        }),
        example("LatestChanges", "Latest changes", { filter: {}, first: 10 }),
        example("CheckExtension", "Check a bulk extension", {
          input: { kind: "EXTEND_LICENCES", productLevel: "PROFESSIONAL", addDays: 30 },
        }),
      ],
    },
    {
      label: "Staff: finance",
      role: "finance",
      examples: [
        example("BusinessFigures", "Dashboard figures", { days: 30 }),
        example("OpenInvoices", "Open invoices", { filter: { status: "OPEN" } }),
        example("ReportRows", "Report rows", { reportType: "LICENCES", ...range }),
        example("ReportCourse", "Report chart", { reportType: "LICENCE_VALIDATIONS", ...range }),
        example("SaveReport", "Save a report", { input: savedReport }),
      ],
    },
    {
      label: "Staff: release",
      role: "release",
      examples: [
        example("Builds", "Builds and stages"),
        example("UploadBuild", "Upload a build", {
          input: { softwareStage: "BETA", version: "9.9.0" },
          installationFile: "Setup.exe",
        }),
      ],
    },
    {
      label: "Staff: owner",
      role: "owner",
      examples: [example("SecurityEvents", "Security events", { types: ["SIGN_IN_FAILED"] })],
    },
  ];
}
