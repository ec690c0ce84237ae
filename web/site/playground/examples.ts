import type { Role } from "#web/platform/session.ts";
import businessFigures from "./examples/business-figures.gql?raw";
import checkExtension from "./examples/check-extension.gql?raw";
import createToken from "./examples/create-token.gql?raw";
import fiftyUsers from "./examples/fifty-users.gql?raw";
import findAnything from "./examples/find-anything.gql?raw";
import latestChanges from "./examples/latest-changes.gql?raw";
import listOfUsers from "./examples/list-of-users.gql?raw";
import myInvoices from "./examples/my-invoices.gql?raw";
import myLicences from "./examples/my-licences.gql?raw";
import plansOnSale from "./examples/plans-on-sale.gql?raw";
import refusedMachines from "./examples/refused-machines.gql?raw";
import reportCourse from "./examples/report-course.gql?raw";
import reportRows from "./examples/report-rows.gql?raw";
import pricedWithPromoCode from "./examples/priced-with-promo-code.gql?raw";
import saveReport from "./examples/save-report.gql?raw";
import seatsNow from "./examples/seats-now.gql?raw";
import suggestedAddresses from "./examples/suggested-addresses.gql?raw";
import wholeUser from "./examples/whole-user.gql?raw";

/** An example query. */
export interface Example {
  readonly id: string;
  readonly title: string;
  /** Short description. */
  readonly description: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Examples for one kind of caller. */
export interface ExampleGroup {
  readonly label: string;
  /** Roles that can run them. Empty if everyone can. */
  readonly roles: readonly Role[];
  /** Required kind of account with its article. Completes "requires … account". */
  readonly requiredAccount: string;
  readonly examples: readonly Example[];
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
      roles: [],
      requiredAccount: "",
      examples: [
        {
          id: "plans-on-sale",
          title: "Plans on sale",
          description: "All plans and prices. Needs no sign-in.",
          query: plansOnSale,
          variables: {},
        },
        {
          id: "suggested-addresses",
          title: "Suggested addresses",
          description: "With variables for the typed text and the country.",
          query: suggestedAddresses,
          variables: { country: "Australia", text: "Brisb" },
        },
      ],
    },
    {
      label: "Customers",
      roles: ["regular"],
      requiredAccount: "a customer",
      examples: [
        {
          id: "my-licences",
          title: "My licences and devices",
          description: "Your licences with their devices and licence checks, in one query.",
          query: myLicences,
          variables: { events: 3 },
        },
        {
          id: "refused-machines",
          title: "Rejected machines",
          description: "Rejected licence checks with the reason and the next step.",
          query: refusedMachines,
          variables: { events: 10 },
        },
        {
          id: "my-invoices",
          title: "Subscription and tax invoices",
          description: "Your next payment and your past invoices.",
          query: myInvoices,
          variables: {},
        },
      ],
    },
    {
      label: "Mutations for customers",
      roles: ["regular"],
      requiredAccount: "a customer",
      examples: [
        {
          id: "priced-with-promo-code",
          title: "Price with a promo code",
          description: "Calculates the discounted price. Nothing is charged or redeemed.",
          query: pricedWithPromoCode,
          variables: { input: { planPriceId: "xer-professional-yearly", promoCode: "WELCOME10" } },
        },
        {
          id: "create-token",
          title: "Create a personal access token",
          description: "Read-only, expires in a day. The secret is shown only once.",
          query: createToken,
          variables: {
            input: { name: "Schema explorer", scopes: ["profile:read", "licences:read"], expiresInDays: 1 },
          },
        },
      ],
    },
    {
      label: "Corporate customers",
      roles: ["corporate"],
      requiredAccount: "a corporate customer",
      examples: [
        {
          id: "seats-now",
          title: "Seats in use",
          description: "Seats in use with their users, and requests denied because no seat was available.",
          query: seatsNow,
          variables: {},
        },
      ],
    },
    {
      label: "Admins",
      roles: ["admin"],
      requiredAccount: "an admin",
      examples: [
        {
          id: "whole-user",
          title: "A user with everything",
          description: "Contacts, licences, devices, events, comments, invoices and sessions.",
          query: wholeUser,
          variables: { search: "ada@demo.test", events: 2 },
        },
        {
          id: "fifty-users",
          title: "Fifty users with everything",
          description: "Contacts, comments, invoices, licences, devices and timelines in one query.",
          query: fiftyUsers,
          variables: { users: 50, entries: 10 },
        },
        {
          id: "find-anything",
          title: "Find anything",
          description: "Searches users, licences, machines and invoices.",
          query: findAnything,
          variables: { text: "ada" },
        },
        {
          id: "list-of-users",
          title: "List of users",
          description: "Sorted, filtered and paginated.",
          query: listOfUsers,
          variables: { filter: { userTypes: [1, 2], sortBy: "LAST_NAME", limit: 20, includeArchived: false } },
        },
        {
          id: "latest-changes",
          title: "Latest changes",
          description: "The audit log, with values before and after each change.",
          query: latestChanges,
          variables: { filter: {}, first: 10 },
        },
        {
          id: "business-figures",
          title: "Dashboard figures",
          description: "Trials, subscriptions and activity, compared with the previous period.",
          query: businessFigures,
          variables: { days: 30 },
        },
      ],
    },
    {
      label: "Mutations for admins",
      roles: ["admin"],
      requiredAccount: "an admin",
      examples: [
        {
          id: "check-extension",
          title: "Check a bulk extension",
          description: "Finds the licences that would get 30 more days. Doesn't extend them.",
          query: checkExtension,
          variables: { input: { kind: "extend-licences", productLevel: 2, addDays: 30 } },
        },
        {
          id: "save-report",
          title: "Save a report",
          description: "Adds a report to your saved reports. You can delete it there.",
          query: saveReport,
          variables: {
            input: {
              name: `Licences, saved ${today.toISOString().slice(0, 19).replace("T", " ")}`,
              reportType: 4,
              period: "THIS_MONTH",
              format: "csv",
              schedule: "NONE",
            },
          },
        },
      ],
    },
    {
      label: "Reports",
      roles: ["admin"],
      requiredAccount: "an admin",
      examples: [
        {
          id: "report-rows",
          title: "Report rows",
          description: "First rows of the licence report for 90 days.",
          query: reportRows,
          variables: { reportType: 4, ...range },
        },
        {
          id: "report-course",
          title: "Report chart",
          description: "Licence checks over 90 days, ready for a chart.",
          query: reportCourse,
          variables: { reportType: 6, ...range },
        },
      ],
    },
  ];
}
