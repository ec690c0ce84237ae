import type { StaffRole } from "#schema/staff-roles.ts";

const queries = import.meta.glob<string>("./examples/*.gql", { query: "?raw", import: "default", eager: true });

export interface Example {
  readonly id: string;
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

/** Returns the example whose query is in `examples/<id>.gql`. */
function example(id: string, title: string, variables: Example["variables"] = {}): Example {
  const query = queries[`./examples/${id}.gql`] as string;
  return { id, title, description: /^# (.*)/.exec(query)?.[1] ?? "", query, variables };
}

/** Returns the date `days` days before `today` as `YYYY-MM-DD` in UTC. */
function dayBefore(today: Date, days: number): string {
  return new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
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
        example("plans-on-sale", "Plans on sale"),
        example("suggested-addresses", "Suggested addresses", { country: "Australia", text: "Brisb" }),
      ],
    },
    {
      label: "Customers",
      role: "regular",
      examples: [
        example("my-licences", "My licences and devices", { events: 3 }),
        example("refused-machines", "Rejected machines", { events: 10 }),
        example("my-invoices", "Subscription and tax invoices"),
        example("priced-with-promo-code", "Price with a promo code", {
          input: { planPriceId: "xer-professional-yearly", promoCode: "WELCOME10" },
        }),
        example("create-token", "Create a personal access token", {
          input: { name: "Schema explorer", scopes: ["PROFILE_READ", "LICENCES_READ"], expiresInDays: 1 },
        }),
      ],
    },
    { label: "Corporate customers", role: "corporate", examples: [example("seats-now", "Seats in use")] },
    {
      label: "Staff: support",
      role: "support",
      examples: [
        example("whole-user", "A user with everything", { search: "ada@demo.test", events: 2 }),
        example("fifty-users", "Fifty users with everything", { users: 50, entries: 10 }),
        example("find-anything", "Find anything", { text: "ada" }),
        example("list-of-users", "List of users", {
          filter: { userTypes: ["REGULAR", "CORPORATE"], includeArchived: false },
          order: { by: "LAST_NAME" },
          first: 20,
        }),
        example("latest-changes", "Latest changes", { filter: {}, first: 10 }),
        example("check-extension", "Check a bulk extension", {
          input: { kind: "EXTEND_LICENCES", productLevel: "PROFESSIONAL", addDays: 30 },
        }),
      ],
    },
    {
      label: "Staff: finance",
      role: "finance",
      examples: [
        example("business-figures", "Dashboard figures", { days: 30 }),
        example("open-invoices", "Open invoices", { filter: { status: "OPEN" } }),
        example("report-rows", "Report rows", { reportType: "LICENCES", ...range }),
        example("report-course", "Report chart", { reportType: "LICENCE_VALIDATIONS", ...range }),
        example("save-report", "Save a report", { input: savedReport }),
      ],
    },
    {
      label: "Staff: release",
      role: "release",
      examples: [
        example("builds", "Builds and stages"),
        example("upload-build", "Upload a build", {
          input: { softwareStage: "BETA", version: "9.9.0" },
          installationFile: "Setup.exe",
        }),
      ],
    },
    {
      label: "Staff: owner",
      role: "owner",
      examples: [example("security-events", "Security events", { types: ["SIGN_IN_FAILED"] })],
    },
  ];
}
