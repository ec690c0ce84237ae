import { adminLicenceRoutes } from "./admin-licences.ts";
import { accountRoutes } from "./accounts.ts";
import { addinRoutes } from "./addin.ts";
import { authRoutes } from "./auth.ts";
import { commentRoutes } from "./comments.ts";
import { contactRoutes } from "./contacts.ts";
import { bulkRunRoutes } from "./bulk-runs.ts";
import { contactFormRoutes } from "./contact-form.ts";
import { deviceAuthorizationRoutes } from "./device-authorization.ts";
import type { Route } from "./define-route.ts";
import { licenceRoutes } from "./licences.ts";
import { moveRoutes } from "./move.ts";
import { passwordRoutes } from "./passwords.ts";
import { planRoutes } from "./plans.ts";
import { promoCodeRoutes } from "./promo-codes.ts";
import { softwareRoutes } from "./software.ts";
import { softwareUploadRoutes } from "./software-upload.ts";
import { statementRoutes } from "./statements.ts";
import { taxInvoiceRoutes } from "./tax-invoices.ts";
import { subscriptionRoutes } from "./subscriptions.ts";
import { reportFileRoutes, reportRoutes } from "./reports.ts";
import { trialRoutes } from "./trials.ts";
import { userListRoutes } from "./user-list.ts";
import { userDetailsRoutes } from "./user-details.ts";

/** Every call of `/v1`. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...passwordRoutes,
  ...authRoutes,
  ...licenceRoutes,
  ...trialRoutes,
  ...planRoutes,
  ...promoCodeRoutes,
  ...taxInvoiceRoutes,
  ...statementRoutes,
  ...subscriptionRoutes,
  ...contactFormRoutes,
  ...addinRoutes,
  ...softwareRoutes,
  ...softwareUploadRoutes,
  ...deviceAuthorizationRoutes,
  ...moveRoutes,
  ...contactRoutes,
  ...commentRoutes,
  ...userListRoutes,
  ...userDetailsRoutes,
  ...adminLicenceRoutes,
  ...reportRoutes,
  ...bulkRunRoutes,
  ...reportFileRoutes,
];
