import { vendorTimeName } from "#schema/days.ts";
import { exampleIds } from "./examples.ts";

const inZone = (column: string) => `${column} (${vendorTimeName})`;
const toCsv = (columns: readonly string[], row: string) => `${columns.join(",")}\r\n${row}\r\n`;

/** The first lines of each CSV file, for the documentation. A test compares the columns with the files. */
export const csvExamples = {
  statement: toCsv(
    ["Date", "Entry", "Number", "Description", "Amount (AUD)", "Balance (AUD)"],
    "01/07/2025,Opening balance,,,,0.00",
  ),
  users: toCsv(["First Name", "Last Name", "Email"], "Ada,Byron,ada@example.com"),
  report: toCsv(
    [
      inZone("Date joined"),
      ..."First Name,Last Name,Company,Position,Email,Email confirmed,Phone,User type,Account".split(","),
      inZone("Archived"),
      ..."Tester,Service provider,ABN,Unit number,Street number,Street name,City,State,Post Code,Country".split(","),
      ..."Referrer,Issued W-8 form,Completed security information,Completed software QA".split(","),
      ..."Subscribed to newsletter,Completed trial,Two-step sign-in,Subscription,Subscription status".split(","),
      ..."Running licences,Annual deactivation limit,Deactivations counted,User ID".split(","),
    ],
    `05/03/2025,Ada,Byron,Analytical Planning,Planner,ada@example.com,Yes,61400000000,Regular,Active,,No,No,,3,120,Eagle Street,Brisbane,QLD,4000,Australia,,No,No,No,No,Yes,No,Professional,Active,1,3,0,${exampleIds.user}`,
  ),
  usage: toCsv(
    [
      inZone("Date"),
      inZone("Last date"),
      ..."Count,Machine name,Windows user,Event,Result code,Result,Answer,Add-in version,Host version,IP address".split(
        ",",
      ),
    ],
    "05/03/2025,05/03/2025,4,BNE-PLAN-007,CORP\\ada,Validate,1,Valid,The licence is valid.,7.4.0,16.0.17328,203.0.113.7",
  ),
  securityEvents: toCsv(
    [inZone("Time"), "Event", "Type", "User", "By", "IP Address", "Count", "Details", "Request"],
    `05/03/2025,Failed sign-in,sign-in.failed,ada@example.com,,203.0.113.7,1,,${exampleIds.other}`,
  ),
  tax: toCsv(
    ["Label", "Figure", "Whole dollars", "Exact amount (AUD)", "Documents"],
    'G1,"Total sales, including GST",164,164.95,1',
  ),
  revenue: toCsv(
    [
      ..."First day,Last day,Kind,Invoiced (AUD),Revenue (AUD),Deferred (AUD),Cash collected (AUD)".split(","),
      ..."Refunded (AUD),Failed payments (AUD),Recovered (AUD)".split(","),
    ],
    "2025-01-01,2025-01-31,Actual,149.95,149.95,0.00,164.95,0.00,0.00,0.00",
  ),
  journal: toCsv(
    "Date,Event,Number,Customer,Description,Account,Debit (AUD),Credit (AUD)".split(","),
    "05/03/2025,Invoice,100005,Ada Byron,Professional,Accounts receivable,164.95,",
  ),
  invoices: toCsv(
    [
      ..."Number,Status,Document".split(","),
      inZone("Date"),
      inZone("Due date"),
      inZone("Date paid"),
      ..."Customer,Company,Description,GST (AUD),Total (AUD),Balance (AUD)".split(","),
    ],
    "100005,Open,Tax invoice,05/03/2025,04/04/2025,,Ada Byron,Analytical Planning,Professional,15.00,164.95,164.95",
  ),
  subscriptions: toCsv(
    [
      ..."Customer,Company,Email,Plan,Status,Amount (AUD)".split(","),
      inZone("Renewal"),
      ..."Past due (AUD),Reason".split(","),
      inZone("Next retry"),
    ],
    "Ada Byron,Analytical Planning,ada@example.com,Professional,Past due,164.95,05/03/2025,164.95,Insufficient funds,08/03/2025",
  ),
  bulkResult: toCsv(
    ["Row", "Subject", "Outcome", "Details", "User ID", "Licence ID", "Support code"],
    `2,ada@example.com,Done,Created the user,${exampleIds.user},,`,
  ),
};
