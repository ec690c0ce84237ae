import { array, type InferType, object, string } from "yup";
import { listValues } from "./closed-list.ts";
import { END_BEFORE_START, momentText, parseEndMoment, parseMoment } from "./moment.ts";
import { reportPeriod } from "./report.ts";
import { line, numeric, optionalCheckbox, uuid } from "./text.ts";
import { memberTypes } from "./user.ts";

/** Sort orders of the list of users, with their descriptions. */
export const userSortOrders = {
  FIRST_NAME: "By first name.",
  LAST_NAME: "By last name.",
  COMPANY: "By company.",
  EMAIL: "By email address.",
  USER_TYPE: "By member type.",
  DATE_JOINED: "By date of registration.",
  ACTIVE: "Active users, then archived ones.",
  EMAIL_CONFIRMED: "Users with a confirmed email address, then others.",
} as const;
export type UserSort = keyof typeof userSortOrders;

export const userSorts = Object.keys(userSortOrders) as UserSort[];

const types: readonly number[] = listValues(memberTypes);

const userTypes = () =>
  array()
    .of(
      numeric()
        .typeError("Unknown user type.")
        .required("Unknown user type.")
        .oneOf(types, "Unknown user type.")
        .meta({ list: () => memberTypes }),
    )
    .typeError("Must be a list.")
    .min(1, "At least 1 user type is required.")
    .max(10, "At most 10 user types.");

const isEndAfterStart = (start: unknown, end: string | undefined) =>
  !end ||
  typeof start !== "string" ||
  !parseMoment(start) ||
  !parseMoment(end) ||
  parseMoment(start)! < parseEndMoment(end)!;

const listFilter = {
  search: line(200),
  userTypes: userTypes().optional(),
  startDate: momentText(),
  endDate: momentText().test("order", END_BEFORE_START, (end, { parent }) =>
    isEndAfterStart((parent as { startDate?: unknown }).startDate, end),
  ),
  includeArchived: optionalCheckbox().default(true),
};

/** Body of `POST /v1/users/filter`. Without user types, all are included. */
export const userFilterRules = object({
  userTypes: listFilter.userTypes,
  startDate: listFilter.startDate.required("Start date is required."),
  endDate: listFilter.endDate.required("End date is required."),
});

/** Rules for the filter panel of Manage Users. Dates stay text in the format `YYYY-MM-DD`. */
export const userFilterFormRules = userFilterRules.shape({
  userTypes: userTypes().required("At least 1 user type is required."),
  includeArchived: listFilter.includeArchived,
});
export type UserFilterValues = InferType<typeof userFilterFormRules>;

const after = string().typeError("Must be text.").max(1_000, "Not a cursor of the list of users.");

/** Rules for the query string of `POST /v1/users/filter`. */
export const userFilterQueryRules = object({ after });

/** Maximum number of users in a list of IDs. Larger selections are described by a filter. */
export const MAX_SELECTED_USERS = 1_000;

const selection = {
  ...listFilter,
  userIds: array()
    .of(uuid("Unknown user.").required("Unknown user."))
    .typeError("Must be a list.")
    .min(1, "Select at least 1 user.")
    .max(MAX_SELECTED_USERS, "At most 1,000 users. Use a filter for more.")
    .optional(),
};

/** Rules for the users that a filter or a list of IDs selects. */
export const userSelectionRules = object(selection);
export type UserSelectionValues = InferType<typeof userSelectionRules>;

const sorting = { sortBy: string().oneOf(userSorts).default("DATE_JOINED"), descending: optionalCheckbox() };

/**
 * Columns of the list of users and its export, with their titles, in this order. A column is the user's text of the same name,
 * unless `api/staff/users/export-users.ts` has another value for the export.
 */
export const userColumns = {
  firstName: "First Name",
  lastName: "Last Name",
  companyName: "Company",
  email: "Email",
  mobile: "Phone",
  userType: "User type",
  registrationDate: "Date joined",
  isActive: "Active",
  emailConfirmed: "Email confirmed",
  id: "User ID",
} as const;
export type UserColumn = keyof typeof userColumns;

export const userExportColumns = Object.keys(userColumns) as UserColumn[];

/** Body of `POST /v1/users/export`. */
export const userExportRules = object({
  ...selection,
  ...sorting,
  columns: array()
    .of(string<UserColumn>().oneOf(userExportColumns, "Unknown column.").required("Unknown column."))
    .typeError("Must be a list.")
    .min(1, "Select at least 1 column.")
    .max(userExportColumns.length, "Unknown column.")
    .required("Select at least 1 column."),
  format: reportPeriod.format.default("csv"),
});
export type UserExportValues = InferType<typeof userExportRules>;

/** Rules for the filter of the GraphQL query `users`. All fields are optional. */
export const userListFilterRules = object(listFilter);

/** Rules for the order of the GraphQL query `users`. */
export const userOrderRules = object({ by: sorting.sortBy, descending: sorting.descending });

/** Rules for the filter, order and start of a list of users. All fields are optional. */
export const userListRules = object({
  ...listFilter,
  ...sorting,
  after,
  fromEnd: optionalCheckbox().default(false),
});
/** The filter, order and page of a list of users. */
export type UserListValues = InferType<typeof userListRules> & { readonly offset: number; readonly limit: number };
