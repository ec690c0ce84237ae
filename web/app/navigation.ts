import { type AppPath, fillBrand, paths } from "#web/platform/paths.ts";
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

const pages: readonly [name: string, page: AppPath][] = Object.entries(paths);

const toItem = ({ title, pattern }: AppPath, label = title): NavigationItem => ({ label, to: pattern });

const services: NavigationMenu = {
  label: "Services",
  groups: pages
    .filter(([, { header }]) => header === "Services")
    .map(([name, page]) => ({
      ...toItem(page),
      items: pages.filter(([, { under }]) => under === name).map(([, subpage]) => toItem(subpage)),
    })),
};

const main: Navigation["main"] = [
  services,
  ...pages
    .filter(([, { header }]) => header === "always" || header === "wide")
    .map(([, page]) => ({ ...toItem(page), staysInHeader: page.header === "always" })),
];

const findAccountItems = (...menus: AppPath["account"][]): NavigationItem[] =>
  pages
    .filter(([, { account }]) => account && menus.includes(account))
    .map(([, page]) => toItem(page, page.accountName));

/** Returns the links of header and drawer. */
export function buildNavigation(session: Session | null): Navigation {
  if (!session) return { main, account: [], signIn: findAccountItems("visitors") };
  const isAdmin = session.claims.role === "admin";
  return { main, account: findAccountItems("signedIn", ...(isAdmin ? [] : (["customers"] as const))), signIn: [] };
}

function toFooterItems(page: AppPath): NavigationItem[] {
  const { footerName, footerLinks, isOtherBuild } = page;
  if (footerLinks)
    return Object.entries(footerLinks).map(([label, value]) => ({
      label,
      to: page.pattern.replace(/:\w+/, fillBrand(value)),
    }));
  const item = toItem(page, footerName && fillBrand(footerName));
  return [isOtherBuild ? { ...item, isOutsidePortal: true } : item];
}

/** Groups of the footer. They contain every public page, so all pages are reachable without JavaScript. */
export const footerGroups: readonly { label: string; items: readonly NavigationItem[] }[] = (
  ["Product", "Services", "Support", "Developers", "Legal"] as const
).map((label) => ({
  label,
  items: pages.filter(([, { footer }]) => footer === label).flatMap(([, page]) => toFooterItems(page)),
}));
