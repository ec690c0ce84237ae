import type { ComponentType } from "react";

/**
 * The files of the pages that talk to the api through Apollo, by their path in `web/pages`; routes.ts gives each its
 * address.
 */
export const portalPages = {
  "customer/change-password": () => import("#web/pages/customer/change-password.tsx"),
  "public/try": () => import("#web/pages/public/try.tsx"),
  "customer/my-account": () => import("#web/pages/customer/my-account.tsx"),
  "customer/manage-subscription": () => import("#web/pages/customer/manage-subscription.tsx"),
  "public/manage-subscription-to": () => import("#web/pages/public/manage-subscription-to.tsx"),
  "customer/manage-payment-details": () => import("#web/pages/customer/manage-payment-details.tsx"),
  "customer/change-subscription": () => import("#web/pages/customer/change-subscription.tsx"),
  "customer/update-profile": () => import("#web/pages/customer/update-profile.tsx"),
  "customer/sessions": () => import("#web/pages/customer/sessions.tsx"),
  "customer/personal-access-tokens": () => import("#web/pages/customer/personal-access-tokens.tsx"),
  "customer/two-step-sign-in": () => import("#web/pages/customer/two-step-sign-in.tsx"),
  "customer/your-data": () => import("#web/pages/customer/your-data.tsx"),
  "customer/webhooks": () => import("#web/pages/customer/webhooks.tsx"),
  "customer/webhook-endpoint": () => import("#web/pages/customer/webhook-endpoint.tsx"),
  "customer/tax-invoices": () => import("#web/pages/customer/tax-invoices.tsx"),
  "customer/manage-activated-devices": () => import("#web/pages/customer/manage-activated-devices.tsx"),
  "customer/offline-activation": () => import("#web/pages/customer/offline-activation.tsx"),
  "customer/licence-history": () => import("#web/pages/customer/licence-history.tsx"),
  "customer/seats": () => import("#web/pages/customer/seats.tsx"),
  "customer/activate": () => import("#web/pages/customer/activate.tsx"),
  "admin/manage-promo-codes": () => import("#web/pages/admin/manage-promo-codes.tsx"),
  "admin/admin": () => import("#web/pages/admin/admin.tsx"),
  "admin/attention": () => import("#web/pages/admin/attention.tsx"),
  "admin/dashboard": () => import("#web/pages/admin/dashboard.tsx"),
  "admin/dashboard-list": () => import("#web/pages/admin/dashboard-list.tsx"),
  "admin/audit-log": () => import("#web/pages/admin/audit-log.tsx"),
  "admin/reports": () => import("#web/pages/admin/reports.tsx"),
  "admin/report-file": () => import("#web/pages/admin/report-file.tsx"),
  "admin/manage-software": () => import("#web/pages/admin/manage-software.tsx"),
  "admin/manage-users": () => import("#web/pages/admin/manage-users.tsx"),
  "admin/create-user": () => import("#web/pages/admin/create-user.tsx"),
  "admin/update-user": () => import("#web/pages/admin/update-user.tsx"),
  "admin/bulk-work": () => import("#web/pages/admin/bulk-work.tsx"),
  "admin/new-bulk-run": () => import("#web/pages/admin/new-bulk-run.tsx"),
  "admin/bulk-run": () => import("#web/pages/admin/bulk-run.tsx"),
} satisfies Record<string, () => Promise<{ default: ComponentType }>>;

/** A page's path in `web/pages`. */
export type PortalPageName = keyof typeof portalPages;
