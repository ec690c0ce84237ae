/** What converts, and the level it starts at: 0 Standard, 1 Plus+, 2 Professional (spec, public §1). */
export interface Coverage {
  what: string;
  from: 0 | 1 | 2;
}

/** The three single-user levels, from left to right. */
export const levels = [
  { name: "Standard", note: "Retiring" },
  { name: "Plus+", note: "Retiring" },
  { name: "Professional", note: "Flagship" },
] as const;

/** The rows of the home page's chart of levels. */
export const coverage: readonly Coverage[] = [
  { what: "Tasks, work breakdown structure, activity types", from: 0 },
  { what: "Relationships, leads and lags", from: 0 },
  { what: "Durations, constraints and calendars", from: 0 },
  { what: "User-defined fields, mapped as you choose", from: 0 },
  { what: "Import and export log with warnings and errors", from: 0 },
  { what: "Schedule health-check reports", from: 1 },
  { what: "Conversion analysis, activity by activity", from: 1 },
  { what: "Costs", from: 2 },
  { what: "Resources", from: 2 },
];

/** The way in, for single users. */
export const steps = [
  {
    title: "Create your account",
    text: "Register with your work email and confirm it from your mailbox. It takes about two minutes.",
  },
  {
    title: "Start the trial",
    text: "Professional, complete, free for 14 days or until the trial's conversions are used. No card asked.",
  },
  {
    title: "Convert where you plan",
    text: "Install the add-in, paste your licence code, and convert in both directions without leaving your plan.",
  },
] as const;
