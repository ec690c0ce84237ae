import { everybody, type RouteEntry } from "#web/platform/route-entry.ts";
import { paths } from "#web/platform/paths.ts";
import { sitePage } from "#web/pages/public/site-page.ts";

/** Fallback route: a content page, or the 404 page. */
export const contentPages: RouteEntry = {
  path: { pattern: "*" },
  access: everybody,
  page: sitePage("content-page"),
};

/** The prerendered public pages that sell and explain the product. */
export const publicRoutes: readonly RouteEntry[] = [
  { path: paths.home, access: everybody, page: sitePage("home") },
  {
    path: paths.solutionsAndServices,
    access: everybody,
    page: sitePage("solutions-and-services"),
  },
  {
    path: paths.weAre,
    access: everybody,
    page: sitePage("we-are"),
  },
  {
    path: paths.projectIntegration,
    access: everybody,
    page: sitePage("project-integration-services"),
  },
  {
    path: paths.projectControls,
    access: everybody,
    page: sitePage("project-controls-specialist-services"),
  },
  {
    path: paths.services,
    access: everybody,
    page: sitePage("services"),
  },
  {
    path: paths.schedulingSupport,
    access: everybody,
    page: sitePage("scheduling-support-services"),
  },
  {
    path: paths.scheduleConversion,
    access: everybody,
    page: sitePage("schedule-conversion-services"),
  },
  {
    path: paths.products,
    access: everybody,
    page: sitePage("products"),
  },
  {
    path: paths.product,
    access: everybody,
    page: sitePage("product"),
    hasFixedPaths: true,
  },
  {
    path: paths.trialAndSubscribe,
    access: everybody,
    page: sitePage("trial-and-subscribe"),
  },
  {
    path: paths.resources,
    access: everybody,
    page: sitePage("resources-and-support"),
  },
  {
    path: paths.userGuide,
    access: everybody,
    page: sitePage("user-guide"),
  },
  {
    path: paths.tutorials,
    access: everybody,
    page: sitePage("tutorials"),
  },
  {
    path: paths.knowledgeBase,
    access: everybody,
    page: sitePage("knowledge-base"),
  },
  {
    path: paths.developerGuide,
    access: everybody,
    page: sitePage("developer-guide"),
  },
  { path: paths.developerGuideTopic, access: everybody, page: sitePage("developer-guide"), hasFixedPaths: true },
  {
    path: paths.restApi,
    access: everybody,
    page: sitePage("rest-api"),
  },
  {
    path: paths.faqs,
    access: everybody,
    page: sitePage("faqs"),
  },
  {
    path: paths.news,
    access: everybody,
    page: sitePage("news"),
  },
  {
    path: paths.legals,
    access: everybody,
    page: sitePage("legals"),
  },
  {
    path: paths.terms,
    access: everybody,
    page: sitePage("terms-and-conditions"),
  },
  {
    path: paths.privacy,
    access: everybody,
    page: sitePage("privacy-policy"),
  },
];
