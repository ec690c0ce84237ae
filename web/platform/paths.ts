import { brand } from "#schema/brand.ts";
import type { StaffRole } from "#schema/staff-roles.ts";
import { pages } from "#web/generated/pages.ts";

type ParamsOf<Pattern extends string> = Pattern extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : never;

/** An entry of the search that starts an action on a page. */
interface PageAction {
  readonly name: string;
  readonly search: string;
  readonly found: string;
  readonly needs?: string;
  readonly roles?: readonly StaffRole[];
}

/** A tab of a page. Its key is the value of the URL parameter `tab`. */
export interface PageTab {
  readonly label: string;
  readonly needs?: string;
  readonly roles?: readonly StaffRole[];
  /** Whether only customers have it. */
  readonly isForCustomers?: true;
}

/** What a row of `web/app/pages.tsx` says about a page, besides its access and file. */
export interface PageFacts {
  readonly path: string;
  /** Its heading, except for content pages, whose heading is in their content. */
  readonly title: string;
  /** Name in menus, if it is not the title. */
  readonly name?: string;
  /** Page of the side navigation or header that it belongs to. Without it, a page with an icon has its own link. */
  readonly under?: string;
  readonly icon?: string;
  /** Operation whose staff roles the page needs. Becomes `roles`. */
  readonly needs?: string;
  readonly roles?: readonly StaffRole[];
  /** Description on the Admin page, and its name there if it is not the name in menus. */
  readonly tile?: string;
  readonly tileName?: string;
  /** Description in the search of the admin area. */
  readonly found?: string;
  readonly action?: PageAction;
  /** In order, the first of which opens without a `tab` in the URL. */
  readonly tabs?: Readonly<Record<string, PageTab>>;
  /** Place in the header: in the menu Services, or as a link that narrower screens hide (`wide`) or keep (`always`). */
  readonly header?: "Services" | "wide" | "always";
  readonly footer?: "Product" | "Services" | "Support" | "Developers" | "Legal";
  readonly footerName?: string;
  /** Links of the footer by name, instead of one link: the value of the path's parameter. */
  readonly footerLinks?: Readonly<Record<string, string>>;
  /** Whose account menu has a link to it. */
  readonly account?: "visitors" | "signedIn" | "customers";
  readonly accountName?: string;
  /** Only addresses of existing content are valid. The server answers all others with 404. */
  readonly hasFixedPaths?: true;
  /** A page of its own with its own build, not a route of the portal. */
  readonly isOtherBuild?: true;
}

/** A page's facts and address: the router's pattern, and the URL with its parameters filled in. */
export interface AppPath<Path extends string = string> extends PageFacts {
  readonly pattern: string;
  href(...params: [ParamsOf<Path>] extends [never] ? [] : [Record<ParamsOf<Path>, string>]): string;
}

const places = { segment: brand.segment, name: brand.name, productName: brand.productName };

/** Fills in the brand. */
export const fillBrand = (text: string): string =>
  text.replace(/\{(segment|name|productName)\}/g, (_, place: keyof typeof places) => places[place]);

function toPath(facts: PageFacts): AppPath {
  const pattern = fillBrand(facts.path);
  const href = (params: Record<string, string> = {}) =>
    pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  return { ...facts, title: fillBrand(facts.title), pattern, href };
}

/** Every page by its name. Matching ignores case and the trailing slash. */
export const paths = Object.fromEntries(Object.entries(pages).map(([name, facts]) => [name, toPath(facts)])) as {
  readonly [Name in keyof typeof pages]: AppPath<(typeof pages)[Name]["path"]>;
};

/** Returns the path of a page in the spelling of {@link paths}. */
export const toPagePath = (pathname: string): string => `${pathname.replace(/\/+$/, "").toLowerCase()}/`;

/** The schema explorer is a separate page with its own build, not a route of the portal. */
export const schemaExplorer = paths.schemaExplorer.href();

/** Returns the URL of the sign-in page, which returns to `returnUrl` afterwards. */
export function loginHref(returnUrl: string): string {
  return `${paths.login.href()}?returnUrl=${encodeURIComponent(returnUrl)}`;
}

/** Returns the URL of a tab of a user in the admin area. `more` has further parameters, such as `&action=add`. */
export function userTabHref(id: string, tab: keyof typeof pages.updateUser.tabs, more = ""): string {
  return `${paths.updateUser.href({ id })}?tab=${tab}${more}`;
}
