import type { ComponentType } from "react";

/** Files of the public pages in `web/pages/public`. Their paths are in public-routes.ts. */
export const sitePages = {
  "content-page": () => import("./content-page.tsx"),
  "developer-guide": () => import("./developer-guide.tsx"),
  faqs: () => import("./faqs.tsx"),
  home: () => import("./home.tsx"),
  "knowledge-base": () => import("./knowledge-base.tsx"),
  legals: () => import("./legals.tsx"),
  news: () => import("./news.tsx"),
  "not-found": () => import("./not-found.tsx"),
  "privacy-policy": () => import("./privacy-policy.tsx"),
  product: () => import("./product.tsx"),
  products: () => import("./products.tsx"),
  "project-controls-specialist-services": () => import("./project-controls-specialist-services.tsx"),
  "project-integration-services": () => import("./project-integration-services.tsx"),
  "rest-api": () => import("./rest-api.tsx"),
  "resources-and-support": () => import("./resources-and-support.tsx"),
  "schedule-conversion-services": () => import("./schedule-conversion-services.tsx"),
  "scheduling-support-services": () => import("./scheduling-support-services.tsx"),
  services: () => import("./services.tsx"),
  "solutions-and-services": () => import("./solutions-and-services.tsx"),
  support: () => import("./support.tsx"),
  "terms-and-conditions": () => import("./terms-and-conditions.tsx"),
  "trial-and-subscribe": () => import("./trial-and-subscribe.tsx"),
  tutorials: () => import("./tutorials.tsx"),
  "user-guide": () => import("./user-guide.tsx"),
  "we-are": () => import("./we-are.tsx"),
} satisfies Record<string, () => Promise<{ default: ComponentType }>>;

/** Filename of a public page in `web/pages/public`, without extension. */
export type SitePageName = keyof typeof sitePages;
