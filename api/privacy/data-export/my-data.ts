import { labelOf, memberTypes, productLevels, reportTypes } from "#schema/catalogue.ts";
import { reportPeriods, reportSchedules } from "#schema/saved-reports.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { Session } from "#api/access/sessions/session.entity.ts";
import { bulkRowsOf } from "#api/staff/bulk/rows-of-user.ts";
import { deviceInWords } from "#api/access/sessions/user-agent.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { ContactMessage } from "#api/messaging/contact-form/contact-message.entity.ts";
import { DeviceAuthorization } from "#api/licensing/device-authorizations/device-authorization.entity.ts";
import { Deactivation } from "#api/licensing/devices/deactivation.entity.ts";
import { Device } from "#api/licensing/devices/device.entity.ts";
import { Lease } from "#api/licensing/leases/lease.entity.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { LicenceEvent } from "#api/licensing/licences/licence-event.entity.ts";
import { statusOfLicence } from "#api/licensing/licences/licence-status.ts";
import { TaxInvoice } from "#api/selling/invoices/tax-invoice.entity.ts";
import { Mail } from "#api/messaging/mails/mail.entity.ts";
import { MoveCode } from "#api/licensing/move-codes/move-code.entity.ts";
import { PersonalAccessToken } from "#api/access/personal-access-tokens/personal-access-token.entity.ts";
import { twoStepState } from "#api/access/two-step/two-step-state.ts";
import { PromoRedemption } from "#api/selling/promo-codes/promo-redemption.entity.ts";
import { UsageEvent } from "#api/licensing/usage/usage-event.entity.ts";
import { SavedReport } from "#api/staff/saved-reports/saved-report.entity.ts";
import { webhooksOf } from "#api/webhooks/endpoints/webhooks-of.ts";
import { getUser } from "#api/people/users/get-user.ts";
import type { User } from "#api/people/users/user.entity.ts";

/** The newest so many rows of each history; a busy corporate licence has millions. */
const MOST_ROWS = 10_000;

/**
 * Everything kept about the caller, in words and ISO 8601 UTC, without secrets, hashes or tokens: also none of the
 * hardware hashes by which a device is known again.
 * @throws AppError UNAUTHENTICATED, RATE_LIMITED after 10 an hour.
 */
export async function myData(context: Context) {
  const { actor, clock, em, rateLimits } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  await rateLimits.take("myData", actor.userId);
  const user = await getUser(context, actor.userId);
  const newest = { limit: MOST_ROWS };
  const licences = await em.find(Licence, { user: user.id }, { orderBy: { createdAt: "desc" } });
  const licenceIds = licences.map((licence) => licence.id);
  const devices = await em.find(Device, { licence: { $in: licenceIds } }, { orderBy: { activatedAt: "desc" } });
  const leases = await em.find(
    Lease,
    { licence: { $in: licenceIds } },
    { orderBy: { startedAt: "desc" }, populate: ["device"], ...newest },
  );
  const conversions = await em.find(
    UsageEvent,
    { licence: { $in: licenceIds } },
    { orderBy: { at: "desc" }, populate: ["device"], ...newest },
  );
  const events = await em.find(
    LicenceEvent,
    { licenceId: { $in: licenceIds } },
    { orderBy: { at: "desc", id: "desc" }, ...newest },
  );
  const authorizations = await em.find(
    DeviceAuthorization,
    { user: user.id },
    { orderBy: { requestedAt: "desc" }, ...newest },
  );
  const moveCodes = await em.find(MoveCode, { licence: { $in: licenceIds } }, { orderBy: { createdAt: "desc" } });
  const sessions = await em.find(
    Session,
    { user: user.id, viewer: null },
    { orderBy: { createdAt: "desc" }, ...newest },
  );
  const tokens = await em.find(
    PersonalAccessToken,
    { user: user.id },
    { orderBy: { createdAt: "desc", id: "desc" }, ...newest },
  );
  const deactivations = await em.find(
    Deactivation,
    { user: user.id },
    { orderBy: { at: "desc" }, populate: ["device"], ...newest },
  );
  // An address may have belonged to another account before this one was registered.
  const mails = await em.find(
    Mail,
    { to: { $ilike: user.email.replace(/[\\%_]/g, "\\$&") }, createdAt: { $gte: user.registeredAt } },
    { orderBy: { number: "desc" }, fields: ["subject", "createdAt", "sentAt"], ...newest },
  );
  const taxInvoices = await em.find(TaxInvoice, { user: user.id }, { orderBy: { issuedAt: "desc" }, ...newest });
  const redemptions = await em.find(
    PromoRedemption,
    { user: user.id },
    { orderBy: { createdAt: "desc" }, populate: ["promoCode"], ...newest },
  );
  // Sent while signed in: of what a visitor sent under this address nobody knows who wrote it.
  const messages = await em.find(ContactMessage, { user: user.id }, { orderBy: { receivedAt: "desc" }, ...newest });
  const comments = await em.find(Comment, { user: user.id }, { orderBy: { at: "desc", id: "desc" }, ...newest });
  // Of somebody who was an admin once.
  const savedReports = await em.find(SavedReport, { owner: user.id }, { orderBy: { createdAt: "desc" } });
  const webhookEndpoints = await webhooksOf(em, user.id);
  const bulkWork = await bulkRowsOf(em, user.id);
  const now = clock.now();
  return {
    writtenAt: now,
    profile: profileOf(user),
    twoStepSignIn: await twoStepOf(context, user.id),
    licences: licences.map((licence) => ({
      id: licence.id,
      licenceCode: licence.licenceCode,
      supportCode: licence.supportCode,
      productLevel: labelOf(productLevels, licence.productLevel),
      status: statusOfLicence(licence, now),
      createdAt: licence.createdAt,
      expiresAt: licence.expiresAt,
      purchaseOrderNumber: licence.purchaseOrderNumber,
      projectTerm: licence.projectTerm,
      devices: devices
        .filter((device) => device.licence.id === licence.id)
        .map(({ machineName, osUser, isVm, activatedAt, lastSeenAt, freedAt }) => ({
          machineName,
          osUser,
          isVm,
          activatedAt,
          lastSeenAt,
          deactivatedAt: freedAt,
        })),
    })),
    sessions: sessions.map(({ userAgent, ip, createdAt, lastUsedAt, endedAt }) => ({
      browser: deviceInWords(userAgent),
      userAgent,
      ip,
      signedInAt: createdAt,
      lastUsedAt,
      endedAt,
    })),
    personalAccessTokens: tokens.map(({ name, scopes, createdAt, expiresAt, lastUsedAt, lastUsedIp, revokedAt }) => ({
      name,
      scopes,
      madeAt: createdAt,
      expiresAt,
      lastUsedAt,
      lastUsedIp,
      revokedAt,
    })),
    deactivations: deactivations.map(({ at, by, reason, device }) => ({
      at,
      by,
      reason,
      machineName: device.machineName,
    })),
    seats: leases.map(({ device, osUser, startedAt, lastHeartbeatAt, expiresAt, borrowedUntil, endedAt }) => ({
      machineName: device.machineName,
      osUser,
      startedAt,
      lastHeartbeatAt,
      expiresAt,
      borrowedUntil,
      endedAt,
    })),
    conversions: conversions.map(({ device, at, recordedAt }) => ({ machineName: device.machineName, at, recordedAt })),
    licenceEvents: events.map(
      ({ at, lastAt, count, kind, resultCode, licenceId, machineName, osUser, addInVersion, hostVersion, ip }) => ({
        at,
        lastAt,
        count,
        kind,
        resultCode,
        licenceId,
        machineName,
        osUser,
        addInVersion,
        hostVersion,
        ip,
      }),
    ),
    deviceAuthorizations: authorizations.map(
      ({ machineName, osUser, addInVersion, ip, requestedAt, decision, decidedAt, resultCode }) => ({
        machineName,
        osUser,
        addInVersion,
        ip,
        requestedAt,
        decision,
        decidedAt,
        resultCode,
      }),
    ),
    moveCodes: moveCodes.map(({ licence, createdAt, expiresAt }) => ({
      licenceId: licence.id,
      sentAt: createdAt,
      expiresAt,
    })),
    taxInvoices: taxInvoices.map(({ number, kind, issuedAt, paidAt, cardLast4, description, totalCents, buyer }) => ({
      number,
      kind,
      issuedAt,
      paidAt,
      cardLast4,
      description,
      totalCents,
      buyer,
    })),
    promoCodes: redemptions.map(({ promoCode, state, createdAt }) => ({
      code: promoCode.code,
      state,
      usedAt: createdAt,
    })),
    bulkWork,
    webhookEndpoints,
    savedReports: savedReports.map(({ name, reportType, period, format, schedule, createdAt }) => ({
      name,
      report: labelOf(reportTypes, reportType),
      period: reportPeriods[period],
      format,
      schedule: reportSchedules[schedule],
      savedAt: createdAt,
    })),
    mails: mails.map(({ subject, createdAt, sentAt }) => ({ subject, writtenAt: createdAt, sentAt })),
    contactMessages: messages.map(({ receivedAt, name, email, phone, message, mailbox }) => ({
      receivedAt,
      name,
      email,
      phone,
      message,
      mailbox,
    })),
    // Who of the staff wrote it is no data about the caller (decision 0032).
    staffComments: comments.map(({ text, at }) => ({ comment: text, writtenAt: at })),
  };
}

async function twoStepOf(context: Context, userId: string) {
  const { onSince, appAddedAt, passkeys, recoveryCodesLeft } = await twoStepState(context, userId);
  return {
    onSince,
    authenticatorAppAddedAt: appAddedAt,
    passkeys: passkeys.map(({ name, addedAt, lastUsedAt }) => ({ name, addedAt, lastUsedAt })),
    recoveryCodesLeft,
  };
}

function profileOf(user: User) {
  return {
    id: user.id,
    memberType: labelOf(memberTypes, user.memberType),
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
