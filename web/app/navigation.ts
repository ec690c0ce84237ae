import { brand } from "#schema/brand.ts";
import { paths, schemaExplorer } from "#web/platform/paths.ts";
import type { Session } from "#web/platform/session.ts";

/** A link in the menus. */
export interface NavigationItem {
  label: string;
  to: string;
  /** Stays in the header on narrower screens. */
  staysInHeader?: boolean;
  /** Not a route of the portal, so the link loads a new page. */
  isOutsidePortal?: boolean;
}

/** A page with its subpages. */
export interface NavigationGroup extends NavigationItem {
  items: readonly NavigationItem[];
}

/** A menu of the header that opens and shows groups of pages. */
export interface NavigationMenu {
  label: string;
  groups: readonly NavigationGroup[];
}

/** The menus by sign-in state: signed-in users don't see Login, visitors don't see My Account. */
export interface Navigation {
  main: readonly (NavigationItem | NavigationMenu)[];
  /** Links under My Account; empty for visitors. */
  account: readonly NavigationItem[];
  /** Login and Register; empty for signed-in users. */
  signIn: readonly NavigationItem[];
}

const solutions: NavigationGroup = {
  label: "Solutions and Services",
  to: paths.solutionsAndServices.href(),
  items: [
    { label: `We are ${brand.name}`, to: paths.weAre.href() },
    { label: "Project Integration Services", to: paths.projectIntegration.href() },
    { label: "Project Controls Specialist Services", to: paths.projectControls.href() },
  ],
};

const paidServices: NavigationGroup = {
  label: "Services",
  to: paths.services.href(),
  items: [
    { label: "Scheduling Support Services", to: paths.schedulingSupport.href() },
    { label: "Schedule Conversion Services", to: paths.scheduleConversion.href() },
  ],
};

const product: NavigationItem = { label: "Product", to: paths.products.href(), staysInHeader: true };
const trialAndSubscribe: NavigationItem = {
  label: "Trial & Subscribe",
  to: paths.trialAndSubscribe.href(),
  staysInHeader: true,
};
const resources: NavigationItem = { label: "Resources & Support", to: paths.resources.href() };
const legals: NavigationItem = { label: "Legals", to: paths.legals.href() };
const contact: NavigationItem = { label: "Contact", to: paths.contactUs.href() };

const main: Navigation["main"] = [
  { label: "Services", groups: [solutions, paidServices] },
  product,
  trialAndSubscribe,
  resources,
  legals,
  contact,
];

/** Returns the links of header and drawer. */
export function buildNavigation(session: Session | null): Navigation {
  if (!session)
    return {
      main,
      account: [],
      signIn: [
        { label: "Login", to: paths.login.href() },
        { label: "Register", to: paths.register.href() },
      ],
    };
  return {
    main,
    account: [
      { label: "View My Account", to: paths.myAccount.href() },
      { label: "Active sessions", to: paths.sessions.href() },
      { label: "Two-step sign-in", to: paths.twoStepSignIn.href() },
      ...(session.claims.role === "admin" ? [] : [{ label: "Your data", to: paths.yourData.href() }]),
      { label: "Logout", to: paths.logout.href() },
    ],
    signIn: [],
  };
}

/** Columns of the footer. They contain every public page, so all pages are reachable without JavaScript. */
export const footerColumns: readonly { label: string; items: readonly NavigationItem[] }[] = [
  {
    label: "Product",
    items: [
      { label: brand.productName, to: paths.products.href() },
      { label: "Professional", to: paths.product.href({ productId: `${brand.segment}-professional` }) },
      { label: "Plus+", to: paths.product.href({ productId: `${brand.segment}-plus` }) },
      { label: "Standard", to: paths.product.href({ productId: `${brand.segment}-standard` }) },
      trialAndSubscribe,
      { label: "News", to: paths.news.href() },
    ],
  },
  {
    label: "Services",
    items: [solutions, ...solutions.items, paidServices, ...paidServices.items],
  },
  {
    label: "Support",
    items: [
      resources,
      { label: "Tutorials", to: paths.tutorials.href() },
      { label: "User Guide", to: paths.userGuide.href() },
      { label: "FAQs", to: paths.faqs.href() },
      { label: "Knowledge Base", to: paths.knowledgeBase.href() },
      { label: "Schema explorer", to: schemaExplorer, isOutsidePortal: true },
      { label: "Developer Guide", to: paths.developerGuide.href() },
      { label: "REST API", to: paths.restApi.href() },
      contact,
    ],
  },
  {
    label: "Legal",
    items: [
      legals,
      { label: "Terms and Conditions", to: paths.terms.href() },
      { label: "Privacy Policy", to: paths.privacy.href() },
    ],
  },
];
