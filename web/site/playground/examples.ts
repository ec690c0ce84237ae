const queries = import.meta.glob<string>("./examples/*.gql", { query: "?raw", import: "default", eager: true });

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Examples for one kind of caller. */
export interface ExampleGroup {
  readonly label: string;
  /** Required kind of account with its article. Null if none is required. */
  readonly account: string | null;
  readonly examples: readonly Example[];
}

/** Returns the example whose query is in `examples/<id>.gql`. */
function example(id: string, title: string, description: string, variables: Example["variables"] = {}): Example {
  return { id, title, description, query: queries[`./examples/${id}.gql`] as string, variables };
}

/** Returns the date `days` days before `today` as `YYYY-MM-DD` in UTC. */
function dayBefore(today: Date, days: number): string {
  return new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the examples by role. Variables with dates cover the 90 days before `today`, and match the demo data. */
export function exampleGroups(today: Date): readonly ExampleGroup[] {
  const range = { startDate: dayBefore(today, 90), endDate: dayBefore(today, 0) };
  return [
    {
      label: "Visitors",
      account: null,
      examples: [
        example("plans-on-sale", "Plans on sale", "All plans and prices. Needs no sign-in."),
        example("suggested-addresses", "Suggested addresses", "With variables for the typed text and the country.", {
          country: "Australia",
          text: "Brisb",
        }),
      ],
    },
    {
      label: "Customers",
      account: "a customer",
      examples: [
        example(
          "my-licences",
          "My licences and devices",
          "Your licences with their devices and licence checks, in one query.",
          { events: 3 },
        ),
        example("refused-machines", "Rejected machines", "Rejected licence checks with the reason and the next step.", {
          events: 10,
        }),
        example("my-invoices", "Subscription and tax invoices", "Your next payment and your past invoices."),
      ],
    },
    {
      label: "Mutations for customers",
      account: "a customer",
      examples: [
        example(
          "priced-with-promo-code",
          "Price with a promo code",
          "Calculates the discounted price. Nothing is charged or redeemed.",
          { input: { planPriceId: "xer-professional-yearly", promoCode: "WELCOME10" } },
        ),
        example(
          "create-token",
          "Create a personal access token",
          "Read-only, expires in a day. The secret is shown only once.",
          {
            input: { name: "Schema explorer", scopes: ["PROFILE_READ", "LICENCES_READ"], expiresInDays: 1 },
          },
        ),
      ],
    },
    {
      label: "Corporate customers",
      account: "a corporate customer",
      examples: [
        example(
          "seats-now",
          "Seats in use",
          "Seats in use with their users, and requests denied because no seat was available.",
        ),
      ],
    },
    {
      label: "Admins",
      account: "an admin",
      examples: [
        example(
          "whole-user",
          "A user with everything",
          "Contacts, licences, devices, events, comments, invoices and sessions.",
          { search: "ada@demo.test", events: 2 },
        ),
        example(
          "fifty-users",
          "Fifty users with everything",
          "Contacts, comments, invoices, licences, devices and timelines in one query.",
          { users: 50, entries: 10 },
        ),
        example("find-anything", "Find anything", "Searches users, licences, machines and invoices.", { text: "ada" }),
        example("list-of-users", "List of users", "Sorted, filtered and paginated.", {
          filter: { userTypes: ["REGULAR", "CORPORATE"], includeArchived: false },
          order: { by: "LAST_NAME" },
          first: 20,
        }),
        example("latest-changes", "Latest changes", "The audit log, with values before and after each change.", {
          filter: {},
          first: 10,
        }),
        example(
          "business-figures",
          "Dashboard figures",
          "Trials, subscriptions and activity, compared with the previous period.",
          { days: 30 },
        ),
      ],
    },
    {
      label: "Mutations for admins",
      account: "an admin",
      examples: [
        example(
          "check-extension",
          "Check a bulk extension",
          "Finds the licences that would get 30 more days. Doesn't extend them.",
          { input: { kind: "EXTEND_LICENCES", productLevel: "PROFESSIONAL", addDays: 30 } },
        ),
        example("save-report", "Save a report", "Adds a report to your saved reports. You can delete it there.", {
          input: {
            name: `Licences, saved ${today.toISOString().slice(0, 19).replace("T", " ")}`,
            reportType: "LICENCES",
            period: "THIS_MONTH",
            format: "CSV",
            schedule: "NONE",
          },
        }),
      ],
    },
    {
      label: "Reports",
      account: "an admin",
      examples: [
        example("report-rows", "Report rows", "First rows of the licence report for 90 days.", {
          reportType: "LICENCES",
          ...range,
        }),
        example("report-course", "Report chart", "Licence checks over 90 days, ready for a chart.", {
          reportType: "LICENCE_VALIDATIONS",
          ...range,
        }),
      ],
    },
  ];
}
