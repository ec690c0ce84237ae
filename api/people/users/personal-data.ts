import { memberTypes } from "#schema/user.ts";
import { findLabel } from "#schema/closed-list.ts";
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
    memberType: findLabel(memberTypes, user.memberType),
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    pendingEmail: user.pendingEmail,
    mobile: user.mobile,
    companyName: user.companyName,
    abn: user.abn,
    position: user.position,
    fullAddress: user.fullAddress,
    unitNumber: user.unitNumber,
    streetNumber: user.streetNumber,
    streetName: user.streetName,
    city: user.city,
    state: user.state,
    postCode: user.postCode,
    country: user.country,
    timeZone: user.timeZone,
    isTester: user.isTester,
    isServiceProvider: user.isServiceProvider,
    isSubscribedToNewsLetter: user.isSubscribedToNewsLetter,
    referrer: user.referrer,
    issuedW8Form: user.issuedW8Form,
    completedSecurityInformation: user.completedSecurityInformation,
    completedSoftwareQA: user.completedSoftwareQA,
    hasCompletedTrial: user.hasCompletedTrial,
    annualDeactivationLimit: user.annualDeactivationLimit,
    registeredAt: user.registeredAt,
    emailConfirmedAt: user.emailConfirmedAt,
  };
}
