import type { ComponentType } from "react";

/** The files of the site's pages in `web/pages/public`; public-routes.ts gives each its address. */
export const sitePages = {
  "content-page": () => import("#web/pages/public/content-page.tsx"),
  faqs: () => import("#web/pages/public/faqs.tsx"),
  home: () => import("#web/pages/public/home.tsx"),
  "knowledge-base": () => import("#web/pages/public/knowledge-base.tsx"),
  legals: () => import("#web/pages/public/legals.tsx"),
  news: () => import("#web/pages/public/news.tsx"),
  "not-found": () => import("#web/pages/public/not-found.tsx"),
  "privacy-policy": () => import("#web/pages/public/privacy-policy.tsx"),
  product: () => import("#web/pages/public/product.tsx"),
  products: () => import("#web/pages/public/products.tsx"),
  "project-controls-specialist-services": () => import("#web/pages/public/project-controls-specialist-services.tsx"),
  "project-integration-services": () => import("#web/pages/public/project-integration-services.tsx"),
  "rest-api": () => import("#web/pages/public/rest-api.tsx"),
  "resources-and-support": () => import("#web/pages/public/resources-and-support.tsx"),
  "schedule-conversion-services": () => import("#web/pages/public/schedule-conversion-services.tsx"),
  "scheduling-support-services": () => import("#web/pages/public/scheduling-support-services.tsx"),
  services: () => import("#web/pages/public/services.tsx"),
  "solutions-and-services": () => import("#web/pages/public/solutions-and-services.tsx"),
  support: () => import("#web/pages/public/support.tsx"),
  "terms-and-conditions": () => import("#web/pages/public/terms-and-conditions.tsx"),
  "trial-and-subscribe": () => import("#web/pages/public/trial-and-subscribe.tsx"),
  tutorials: () => import("#web/pages/public/tutorials.tsx"),
  "user-guide": () => import("#web/pages/public/user-guide.tsx"),
  "we-are": () => import("#web/pages/public/we-are.tsx"),
} satisfies Record<string, () => Promise<{ default: ComponentType }>>;

/** A page's file in `web/pages/public`. */
export type SitePageName = keyof typeof sitePages;
