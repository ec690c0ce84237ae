import { Type } from "typebox";
import { customerStaff } from "#schema/staff-roles.ts";
import { MemberType } from "#schema/user.ts";
import { formatNumber } from "#schema/numbers.ts";
import { text } from "#api/platform/http/json-types.ts";
import {
  userExportColumns,
  userExportRules,
  userFilterQueryRules,
  userFilterRules,
  userSorts,
} from "#schema/user-list.ts";
import { exportUsers } from "#api/staff/users/export-users.ts";
import { archiveUser } from "#api/staff/users/archive-user.ts";
import { getCancellationPendingSince } from "#api/billing/subscriptions/cancel-for-closed-account.ts";
import { listFilteredUsersJson, MAX_ROWS, userRowShape } from "#api/staff/users/user-row.json.ts";
import { csvExamples } from "./file-examples.ts";
import { exampleProfile } from "./examples.ts";
import { FileResponse, StatusResponse, defineRoute } from "./define-route.ts";
import { param } from "./param.ts";

const tag = "Users";

const cancellationPending =
  "The user is archived. The payment provider has not confirmed the cancellation of the subscription yet. We will keep trying automatically.";

const { id, firstName, lastName, companyName, email, mobile } = exampleProfile;

/** Calls for listing and archiving users. */
export const userListRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/users/filter",
    allow: { audience: "admin", roles: customerStaff, scope: "users:read", harm: "none" },
    tag,
    summary: `List users. Filters by member type and registration date, includes archived users, newest first. Without \`userTypes\`, all types are listed. Each page has up to ${formatNumber(MAX_ROWS)} users. \`X-Total-Count\` is the number of matching users. To get the next page, send the same body to the address in the \`Link\` header with rel="next"`,
    params: {
      after: { description: "Cursor of the next page, from the `Link` header of the previous response" },
    },
    query: userFilterQueryRules,
    body: userFilterRules,
    bodyExample: { userTypes: [1, 2], startDate: "2024-03-05 00:00:00", endDate: "2025-03-05 23:59:59" },
    responseHeaders: {
      "X-Total-Count": { description: "Number of matching users on all pages.", schema: { type: "integer" } },
      Link: {
        description: 'Address of the next page, as `<…>; rel="next"`. Absent on the last page.',
        schema: { type: "string" },
      },
    },
    response: Type.Array(userRowShape),
    example: [
      {
        id,
        firstName,
        lastName,
        companyName,
        email,
        mobile,
        userType: 1,
        registationDate: "2025-03-05T01:00:00.000Z",
        isActive: true,
        emailConfirmed: true,
      },
    ],
    handler: async ({ context, body, query }) => {
      const { userTypes = Object.values(MemberType), startDate, endDate } = body;
      const filter = { userTypes, startDate, endDate, includeArchived: true };
      const { rows, total, next } = await listFilteredUsersJson(context, filter, query.after);
      return new StatusResponse(200, rows, {
        "x-total-count": String(total),
        ...(next === null ? {} : { link: `</v1/users/filter?after=${next}>; rel="next"` }),
      });
    },
  }),
  defineRoute({
    method: "POST",
    url: "/v1/users/export",
    allow: { audience: "admin", roles: customerStaff, scope: "users:read", harm: "mass" },
    tag,
    summary: `Export users. Returns all users of a list, in its order. All fields except \`columns\` are optional. \`search\`, \`userTypes\`, \`startDate\`, \`endDate\` and \`includeArchived\` filter as in the GraphQL query \`users\`; \`userIds\` selects up to 1,000 users. \`sortBy\` is one of ${userSorts.join(", ")}. \`columns\` are any of ${userExportColumns.join(", ")}. \`format\` is csv (default) or xlsx. The audit log records each export`,
    body: userExportRules,
    bodyExample: {
      search: "rail",
      userTypes: [1, 2],
      sortBy: "LAST_NAME",
      columns: ["firstName", "lastName", "email"],
    },
    errors: ["CONFLICT"],
    fileTypes: ["text/csv"],
    fileExample: csvExamples.users,
    handler: async ({ context, body }) => new FileResponse(await exportUsers(context, body)),
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/users/:id/archive",
    params: { id: param.user },
    operation: "Mutation.archiveUser",
    tag,
    summary:
      "Archive a user. Signs the user out, suspends their licences and cancels their subscription at the end of its period",
    errors: ["CONFLICT"],
    otherResponses: {
      202: {
        description:
          "The user is archived, but the payment provider has not confirmed the cancellation yet. The cancellation is retried until the provider confirms it.",
        schema: text,
        example: cancellationPending,
      },
    },
    handler: async ({ context, params }) => {
      const user = await archiveUser(context, params.id ?? "");
      return (await getCancellationPendingSince(context, user.id))
        ? new StatusResponse(202, cancellationPending)
        : true;
    },
  }),
];
