import { LicenceActivationType, licenceDefaults, LicenceType, needsSeat } from "#schema/licence.ts";
import { toCode } from "#schema/closed-list.ts";
import { isTrialLevel, productLevels } from "#schema/product-level.ts";
import { issueLicence } from "#api/licensing/licences/issue-licence.ts";
import { Licence } from "#api/licensing/licences/licence.entity.ts";
import { recordLicenceChange, recordNewLicence, toAuditedLicence } from "#api/licensing/licences/lock-licences.ts";
import { recordLicenceEvent } from "#api/licensing/licences/record-licence-event.ts";
import { countUse } from "#api/licensing/licences/update-licence.ts";
import { isRenewed, isRunning, Subscription } from "#api/billing/subscriptions/subscription.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { Context } from "#api/platform/context.ts";
import { type EntityManager, query } from "#api/platform/database/database.ts";
import type { InvoicedLicence, ManualInvoice } from "./manual-invoice.entity.ts";

/** A licence that was issued or extended for a paid invoice. */
export interface FulfilledLicence {
  readonly licence: Licence;
  readonly isNew: boolean;
}

/**
 * Issues or extends the licence of a paid invoice, in the transaction of `em`, which must have the lock of
 * `lockCustomer`. A licence is never shortened and never allows fewer seats or devices than are in use, or than were added
 * since the invoice was written. If the chosen licence was deactivated in the meantime, or a resumed subscription sets its
 * level, the customer gets a new one.
 */
export async function fulfilLicence(
  context: Context,
  em: EntityManager,
  user: User,
  invoice: ManualInvoice,
): Promise<FulfilledLicence | null> {
  const terms = invoice.licenceTerms;
  if (!terms) return null;
  const chosen = terms.licenceId ? await em.findOne(Licence, terms.licenceId, { refresh: true }) : null;
  const hasPlanLevel = !!chosen && chosen.productLevel !== terms.productLevel && (await isRenewed(em, chosen.id));
  const isNew = !chosen || chosen.revokedAt !== null || hasPlanLevel;
  const licence = isNew
    ? await issueNew(context, em, user, terms, invoice)
    : await extend(context, em, chosen, terms, invoice);
  await linkLicence(em, invoice, licence);
  return { licence, isNew };
}

/** Links an issued invoice and its service periods to the licence that it pays for, so that they end with the licence. */
export async function linkLicence(em: EntityManager, invoice: ManualInvoice, licence: Licence): Promise<void> {
  invoice.licence = licence;
  await em.flush();
  await query(em, "update service_periods set licence_id = $2 where document_id = $1", [
    invoice.taxInvoice?.id,
    licence.id,
  ]);
}

// Such a licence for one seat gets more with 'Add seats'.
const isConcurrentLevel = (productLevel: number) => toCode(productLevels, productLevel) === "CORPORATE_DARK_CONCURRENT";

const toExpiry = ({ until }: InvoicedLicence) => new Date(`${until}T23:59:59.999Z`);

async function issueNew(
  context: Context,
  em: EntityManager,
  user: User,
  terms: InvoicedLicence,
  { purchaseOrder }: ManualInvoice,
): Promise<Licence> {
  const { productLevel, numberOfUsers, numberOfMachines } = terms;
  const isShared = numberOfUsers > 1 || isConcurrentLevel(productLevel);
  const licence = issueLicence(context, em, user, {
    productLevel,
    numberOfUsers,
    numberOfMachines,
    expiresAt: toExpiry(terms),
    licenceType: isShared ? LicenceType.Concurrent : LicenceType.SingleUser,
    licenceActivationType: isShared ? LicenceActivationType.Concurrent : LicenceActivationType.Standard,
    purchaseOrderNumber: purchaseOrder,
  });
  await recordNewLicence(context, em, licence);
  return licence;
}

async function extend(
  context: Context,
  em: EntityManager,
  licence: Licence,
  terms: InvoicedLicence,
  { purchaseOrder }: ManualInvoice,
): Promise<Licence> {
  const before = toAuditedLicence(licence);
  const used = await countUse(em, licence.id, context.clock.now());
  if (toExpiry(terms) > licence.expiresAt) {
    licence.expiresAt = toExpiry(terms);
    recordLicenceEvent(context, em, { kind: "extend", licenceId: licence.id });
    // The licence of a cancelled subscription ends with it otherwise.
    const running = { licence: licence.id, ...isRunning };
    await em.nativeUpdate(Subscription, running, { licenceExtendedUntil: licence.expiresAt });
  }
  if (licence.productLevel !== terms.productLevel) {
    licence.productLevel = terms.productLevel;
    if (isConcurrentLevel(terms.productLevel) && !needsSeat(licence.licenceActivationType)) {
      licence.licenceType = LicenceType.Concurrent;
      licence.licenceActivationType = LicenceActivationType.Concurrent;
      // Licences without seats may have none, with which each seat would end at once.
      licence.floatingHeartBeatIntervalMinutes ||= licenceDefaults.floatingHeartBeatIntervalMinutes;
    }
    // Only a trial has a number of conversions.
    if (!isTrialLevel(terms.productLevel)) licence.usageLimit = null;
  }
  // The customer has paid for seats that were added since the invoice was written.
  const keepAdded = (now: number, before = now) => (now > before ? now : 0);
  const addedUsers = keepAdded(licence.numberOfUsers, terms.usersBefore);
  const addedMachines = keepAdded(licence.numberOfMachines, terms.machinesBefore);
  licence.numberOfUsers = Math.max(terms.numberOfUsers, used.seats, addedUsers);
  licence.numberOfMachines = Math.max(terms.numberOfMachines, used.devices, addedMachines);
  licence.purchaseOrderNumber = purchaseOrder ?? licence.purchaseOrderNumber;
  await recordLicenceChange(context, em, "update-licence", licence, before);
  return licence;
}
