import { memberTypes, userFields } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
import { pickFields } from "#schema/field.ts";
import { ownsNothingSql, User } from "./user.entity.ts";
import { CLOSING_PART, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const userData: PersonalData = {
  tables: { users: { erasedBy: CLOSING_PART } },
  erasure: [
    {
      name: "unclaimed-registrations",
      title: "Unconfirmed registrations with this address",
      effect: "deleted",
      table: "users",
      run: createBatchStatement(
        `delete from users where id in (
           select id from users u
            where sign_in_email is null and lower(email) = any(:addresses) and registered_at <= :requestedAt
              and email_confirmed_at is null and archived_at is null and deleted_at is null and member_type = 1
              and ${ownsNothingSql("u")}
            limit :limit)`,
        100,
      ),
    },
  ],
  exported: { profile: async ({ em }, { id }) => toProfileExport(await em.findOneOrFail(User, id)) },
};

function toProfileExport(user: User) {
  return {
    id: user.id,
    ...pickFields(userFields, user),
    memberType: findLabel(memberTypes, user.memberType),
    pendingEmail: user.pendingEmail,
    timeZone: user.timeZone,
    registeredAt: user.registeredAt,
    emailConfirmedAt: user.emailConfirmedAt,
  };
}
