import { defaultUserFilter, userFilterRules } from "#schema/rules/user-list.ts";
import { archiveUser } from "#api/features/accounts/archive-user.ts";
import { filteredUsersJson, MOST_ROWS, type UserRowJson } from "#api/features/accounts/user-row.json.ts";
import { defineRoute } from "./frame.ts";

const tag = "Users";

const exampleRow: UserRowJson = {
  id: "7c5a0f0e-2b9d-4a55-9a0b-6a0f3f2d1c11",
  firstName: "Ada",
  lastName: "Byron",
  companyName: "Analytical Planning",
  email: "ada@example.com",
  mobile: "+61 400 000 000",
  userType: 1,
  registationDate: "2025-03-05T01:00:00.000Z",
  isActive: true,
  emailConfirmed: true,
};

/** The admin's list of users (spec, admin §7). */
export const userListRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/users/filter",
    allow: "admin",
    tag,
    summary: `The users of some types who registered within some days, archived ones too, newest first: at most ${MOST_ROWS.toLocaleString("en-AU")}. Left out: every type, the last year`,
    body: userFilterRules,
    answer: [exampleRow],
    handler: async ({ context, body }) => {
      const usual = defaultUserFilter(context.clock.now().toISOString().slice(0, 10));
      const { userTypes = usual.userTypes, startDate = usual.startDate, endDate = usual.endDate } = body;
      return filteredUsersJson(context, { userTypes, startDate, endDate, includeArchived: true });
    },
  }),
  defineRoute({
    method: "PATCH",
    url: "/v1/users/:id/archive",
    allow: "admin",
    tag,
    summary: "Archive a user: signed out, licences suspended, the subscription cancelled at the end of its period",
    answer: true,
    handler: async ({ context, params }) => void (await archiveUser(context, params.id ?? "")),
  }),
];
