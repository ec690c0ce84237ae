import { Type } from "typebox";
import { text } from "#api/platform/json-shapes.ts";
import { defaultUserFilter, userFilterRules } from "#schema/rules/user-list.ts";
import { archiveUser } from "#api/features/accounts/archive-user.ts";
import { cancellationPendingSince } from "#api/features/subscriptions/cancel-for-closed-account.ts";
import { filteredUsersJson, MOST_ROWS, userRowShape } from "#api/features/accounts/user-row.json.ts";
import { exampleProfile } from "./examples.ts";
import { Answer, defineRoute } from "./frame.ts";
import { param } from "./param.ts";

const tag = "Users";

const cancellationPending =
  "The user is archived. Their subscription is still to be cancelled at the payment provider, which is retried automatically.";

const { id, firstName, lastName, companyName, email, mobile } = exampleProfile;

/** The admin's list of users (spec, admin §7). */
export const userListRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/users/filter",
    allow: "admin",
    tag,
    summary: `The users of some types who registered within some days, archived ones too, newest first: at most ${MOST_ROWS.toLocaleString("en-AU")}. Left out: every type, the last year`,
    body: userFilterRules,
    bodyExample: { userTypes: [1, 2], startDate: "2024-03-05 00:00:00", endDate: "2025-03-05 23:59:59" },
    answer: Type.Array(userRowShape),
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
    handler: async ({ context, body }) => {
      const usual = defaultUserFilter(context.clock.now().toISOString().slice(0, 10));
      const { userTypes = usual.userTypes, startDate = usual.startDate, endDate = usual.endDate } = body;
      return filteredUsersJson(context, { userTypes, startDate, endDate, includeArchived: true });
    },
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/users/:id/archive",
    params: { id: param.user },
    allow: "admin",
    tag,
    summary: "Archive a user: signed out, licences suspended, the subscription cancelled at the end of its period",
    errors: ["CONFLICT"],
    otherAnswers: {
      202: {
        description:
          "Archived, but the payment provider has not confirmed the cancellation yet; it is retried until it does.",
        schema: text,
        example: cancellationPending,
      },
    },
    handler: async ({ context, params }) => {
      const user = await archiveUser(context, params.id ?? "");
      return (await cancellationPendingSince(context, user.id)) ? new Answer(202, cancellationPending) : true;
    },
  }),
];
