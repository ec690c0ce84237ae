import { matchPath } from "react-router-dom";
import { pages } from "#web/app/pages.tsx";
import { pageAccess } from "#web/app/page-access.ts";
import type { Access } from "#web/platform/route-entry.ts";
import { type AppPath, paths } from "#web/platform/paths.ts";
import type { Role } from "#web/platform/session.ts";

type PageName = keyof typeof paths;

const isForAdminsAlone = (name: PageName) => ["staff", "admins"].includes(pages[name].access);

/**
 * Returns the pages of the side navigation of a role: those with an icon that belong to no other page. Corporate customers
 * may not open Billing, so they don't see it.
 */
export function getPortalLinks(role: Role): AppPath[] {
  return (Object.keys(paths) as PageName[])
    .filter((name) => {
      const { icon, under }: AppPath = paths[name];
      const access: Access = pageAccess[pages[name].access];
      const isOpen = access.kind === "private" && access.elsewhere?.[role] === undefined;
      return icon && !under && isOpen && isForAdminsAlone(name) === (role === "admin");
    })
    .map((name) => paths[name]);
}

/** Returns the page of the side navigation that the page at an address is, or belongs to. */
export function findCurrentLink(links: readonly AppPath[], pathname: string): AppPath | undefined {
  const matches: AppPath[] = Object.values(paths).filter(({ pattern }) => matchPath(pattern, pathname));
  return links.find((link) => matches.some((page) => page === link || paths[page.under as PageName] === link));
}
