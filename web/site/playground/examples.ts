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

/** A query to begin with. */
export interface Example {
  readonly id: string;
  readonly title: string;
  /** What it shows, in a few words. */
  readonly says: string;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Examples of one kind of caller. */
export interface ExampleGroup {
  readonly label: string;
  /** Who may run them; empty for everybody. */
  readonly roles: readonly Role[];
  /** The sentence for whoever may not. */
  readonly needs: string;
  readonly examples: readonly Example[];
}

/** `YYYY-MM-DD` of some days ago, UTC. */
function dayBefore(today: Date, days: number): string {
  return new Date(today.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * The menu of examples, by who may run them. Their variables find something in the demo data; those with dates tell of
 * the 90 days before `today`.
 */
export function exampleGroups(today: Date): readonly ExampleGroup[] {
  const range = { startDate: dayBefore(today, 90), endDate: dayBefore(today, 0) };
  return [
    {
      label: "Visitors",
      roles: [],
      needs: "",
      examples: [
        {
          id: "plans-on-sale",
          title: "Plans on sale",
          says: "Every plan and its prices. Needs no sign-in.",
          query: plansOnSale,
          variables: {},
        },
        {
          id: "suggested-addresses",
          title: "Suggested addresses",
          says: "With variables: what is typed so far, and where.",
          query: suggestedAddresses,
          variables: { country: "Australia", text: "Brisb" },
        },
      ],
    },
    {
      label: "Customers",
      roles: ["regular"],
      needs: "a customer",
      examples: [
        {
          id: "my-licences",
          title: "My licences and devices",
          says: "Four levels deep: you, licences, devices, what they asked.",
          query: myLicences,
          variables: { events: 3 },
        },
        {
          id: "refused-machines",
          title: "Refused machines",
          says: "Which machine got a no, why, and what helps.",
          query: refusedMachines,
          variables: { events: 10 },
        },
        {
          id: "my-invoices",
          title: "Subscription and tax invoices",
          says: "What is paid next, and what was paid.",
          query: myInvoices,
          variables: {},
        },
      ],
    },
    {
      label: "Mutations for customers",
      roles: ["regular"],
      needs: "a customer",
      examples: [
        {
          id: "priced-with-promo-code",
          title: "Price with a promo code",
          says: "Checks a code against a plan. Nothing is charged or redeemed.",
          query: pricedWithPromoCode,
          variables: { input: { planPriceId: "xer-professional-yearly", promoCode: "WELCOME10" } },
        },
        {
          id: "create-token",
          title: "Create a personal access token",
          says: "Read-only, expires in a day. Shows its secret once.",
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
      needs: "a corporate customer",
      examples: [
        {
          id: "seats-now",
          title: "Seats now",
          says: "Who holds a seat, until when, and who found none.",
          query: seatsNow,
          variables: {},
        },
      ],
    },
    {
      label: "Admins",
      roles: ["admin"],
      needs: "an admin",
      examples: [
        {
          id: "whole-user",
          title: "A user with everything",
          says: "Contacts, licences, devices, events, comments, invoices, sessions.",
          query: wholeUser,
          variables: { search: "ada@demo.test", events: 2 },
        },
        {
          id: "fifty-users",
          title: "Fifty users with everything",
          says: "Contacts, comments, invoices, licences, devices and timelines in one query.",
          query: fiftyUsers,
          variables: { users: 50, entries: 10 },
        },
        {
          id: "find-anything",
          title: "Find anything",
          says: "One search over people, licences, machines, invoices.",
          query: findAnything,
          variables: { text: "ada" },
        },
        {
          id: "list-of-users",
          title: "List of users",
          says: "Sorted, filtered, page by page.",
          query: listOfUsers,
          variables: { filter: { userTypes: [1, 2], sortBy: "LAST_NAME", limit: 20, includeArchived: false } },
        },
        {
          id: "latest-changes",
          title: "Latest changes",
          says: "The audit log, with before and after.",
          query: latestChanges,
          variables: { filter: {}, first: 10 },
        },
        {
          id: "business-figures",
          title: "Figures of the dashboard",
          says: "Trials, subscriptions, activity, against the period before.",
          query: businessFigures,
          variables: { days: 30 },
        },
      ],
    },
    {
      label: "Mutations for admins",
      roles: ["admin"],
      needs: "an admin",
      examples: [
        {
          id: "check-extension",
          title: "Check a bulk extension",
          says: "Finds the licences that 30 more days would reach. Extends none.",
          query: checkExtension,
          variables: { input: { kind: "extend-licences", productLevel: 2, addDays: 30 } },
        },
        {
          id: "save-report",
          title: "Save a report",
          says: "Adds a report to your saved ones. Delete it there at any time.",
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
      needs: "an admin",
      examples: [
        {
          id: "report-rows",
          title: "Rows of a report",
          says: "The first rows of the licences of 90 days.",
          query: reportRows,
          variables: { reportType: 4, ...range },
        },
        {
          id: "report-course",
          title: "Course of a report",
          says: "Validations by parts of 90 days, ready to be drawn.",
          query: reportCourse,
          variables: { reportType: 6, ...range },
        },
      ],
    },
  ];
}
