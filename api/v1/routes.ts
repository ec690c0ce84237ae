import { adminLicenceRoutes } from "#api/licensing/licences/licence-admin.resolver.ts";
import { accountRoutes } from "#api/access/registration/registration.resolver.ts";
import { addinRoutes, moveRoutes } from "./addin.ts";
import { authRoutes } from "#api/access/sessions/auth.resolver.ts";
import { commentRoutes } from "#api/staff/comments/comment.resolver.ts";
import { contactRoutes } from "#api/staff/contacts/contact.resolver.ts";
import { bulkRunRoutes } from "#api/staff/bulk/bulk.resolver.ts";
import { contactFormRoutes } from "#api/messaging/contact-form/contact-form.resolver.ts";
import { deviceAuthorizationRoutes } from "#api/licensing/device-authorizations/device-authorization.resolver.ts";
import type { Route } from "#api/platform/http/define-route.ts";
import { licenceRoutes } from "#api/licensing/licences/licence.resolver.ts";
import { passwordRoutes } from "#api/access/passwords/password.resolver.ts";
import { planRoutes } from "#api/billing/prices/plans.resolver.ts";
import { promoCodeRoutes } from "#api/billing/promo-codes/promo-code.resolver.ts";
import { softwareRoutes } from "#api/releases/software/software.resolver.ts";
import { softwareUploadRoutes } from "#api/releases/software/upload/upload.resolver.ts";
import { statementRoutes } from "#api/billing/statements/statement-file.ts";
import { taxInvoiceRoutes } from "#api/billing/invoices/invoice.resolver.ts";
import { subscriptionRoutes } from "#api/billing/subscriptions/subscription-routes.ts";
import { reportFileRoutes, reportRoutes } from "#api/staff/reports/report.resolver.ts";
import { profileRoutes } from "#api/access/profile/profile.resolver.ts";
import { myDataRoutes } from "#api/privacy/data-export/my-data.ts";
import { deviceRoutes } from "#api/licensing/devices/device.resolver.ts";
import { offlineActivationRoutes } from "#api/licensing/devices/offline-activation.resolver.ts";
import { quoteRoutes } from "#api/billing/quotes/quote.resolver.ts";
import { trialRoutes } from "#api/licensing/trials/trial.resolver.ts";
import { userListRoutes } from "#api/staff/users/user.resolver.ts";
import { userFormRoutes } from "#api/staff/users/user-form.resolver.ts";

/** Every call of `/v1`. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...profileRoutes,
  ...myDataRoutes,
  ...passwordRoutes,
  ...authRoutes,
  ...licenceRoutes,
  ...deviceRoutes,
  ...offlineActivationRoutes,
  ...trialRoutes,
  ...planRoutes,
  ...promoCodeRoutes,
  ...taxInvoiceRoutes,
  ...quoteRoutes,
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
  ...userFormRoutes,
  ...adminLicenceRoutes,
  ...reportRoutes,
  ...bulkRunRoutes,
  ...reportFileRoutes,
];
