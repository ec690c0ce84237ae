import { everybody } from "./access.ts";
import { lazyPage } from "./lazy-page.ts";
import { paths } from "./paths.ts";
import type { RouteEntry } from "./route-entry.ts";

/** What no route has: a page of the content, or none. */
export const contentPages: RouteEntry = {
  path: { pattern: "*" },
  access: everybody,
  page: lazyPage(() => import("#web/pages/public/content-page.tsx")),
};

/** The pages that sell and explain the product: for everybody, and HTML before anybody asks (spec, public §2). */
export const publicRoutes: readonly RouteEntry[] = [
  { path: paths.home, access: everybody, page: lazyPage(() => import("#web/pages/public/home.tsx")) },
  {
    path: paths.solutionsAndServices,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/solutions-and-services.tsx")),
  },
  {
    path: paths.weAre,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/we-are.tsx")),
  },
  {
    path: paths.projectIntegration,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/project-integration-services.tsx")),
  },
  {
    path: paths.projectControls,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/project-controls-specialist-services.tsx")),
  },
  {
    path: paths.services,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/services.tsx")),
  },
  {
    path: paths.schedulingSupport,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/scheduling-support-services.tsx")),
  },
  {
    path: paths.scheduleConversion,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/schedule-conversion-services.tsx")),
  },
  {
    path: paths.products,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/products.tsx")),
  },
  {
    path: paths.product,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/product.tsx")),
  },
  {
    path: paths.trialAndSubscribe,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/trial-and-subscribe.tsx")),
  },
  {
    path: paths.resources,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/resources-and-support.tsx")),
  },
  {
    path: paths.userGuide,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/user-guide.tsx")),
  },
  {
    path: paths.tutorials,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/tutorials.tsx")),
  },
  {
    path: paths.knowledgeBase,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/knowledge-base.tsx")),
  },
  {
    path: paths.faqs,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/faqs.tsx")),
  },
  {
    path: paths.news,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/news.tsx")),
  },
  {
    path: paths.legals,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/legals.tsx")),
  },
  {
    path: paths.terms,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/terms-and-conditions.tsx")),
  },
  {
    path: paths.privacy,
    access: everybody,
    page: lazyPage(() => import("#web/pages/public/privacy-policy.tsx")),
  },
];
