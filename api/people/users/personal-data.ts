import { memberTypes } from "#schema/catalogue.ts";
import { findLabel } from "#schema/closed-list.ts";
import { User } from "./user.entity.ts";
import { CLOSING_PART, createBatchStatement, type PersonalData } from "#api/platform/database/personal-data.ts";

export const userData: PersonalData = {
  tables: {
    users: {
      erased: {
        [CLOSING_PART]:
          "first_name last_name email sign_in_email pending_email email_change_handle password_hash mobile company_name abn position full_address unit_number street_number street_name city state post_code referrer is_tester is_service_provider is_subscribed_to_newsletter two_step_since archived_at deleted_at search",
      },
      kept: {
        "Needed for the GST of past sales.": "country unlisted_country",
        "Random ID.": "confirmation_handle",
        "Prevents a second trial.": "has_completed_trial",
      },
      impersonal:
        "id member_type staff_roles email_confirmed_at annual_deactivation_limit deactivations_reset_at registered_at trial_intent first_signed_in_at issued_w8_form completed_security_information completed_software_qa revision known_device_epoch",
    },
  },
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
              and not exists (select from licences l where l.user_id = u.id)
              and not exists (select from tax_invoices i where i.user_id = u.id)
              and not exists (select from promo_redemptions p where p.user_id = u.id)
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
    isTester: user.isTester,
    isServiceProvider: user.isServiceProvider,
    hasCompletedTrial: user.hasCompletedTrial,
    annualDeactivationLimit: user.annualDeactivationLimit,
    registeredAt: user.registeredAt,
    emailConfirmedAt: user.emailConfirmedAt,
  };
}
