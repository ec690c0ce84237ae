import { type ReactNode, StrictMode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { matchRoutes, StaticRouter } from "react-router-dom";
import heads from "content:heads";
import { planCatalogue, planIntervals, buildPlanPriceId } from "#schema/plan-catalogue.ts";
import { type Role, roles } from "#schema/roles.ts";
import { PageLayout } from "#web/ui/page-layout.tsx";
import { LoadingBlock } from "#web/ui/loading-block.tsx";
import { PortalTheme } from "#web/ui/portal-theme.tsx";
import { App } from "./app.tsx";
import { canOpen } from "./page-access.ts";
import { type PageName, pages } from "./pages.tsx";
import { paths } from "#web/platform/paths.ts";
import { contentRoute, namedContent, routes, toContentName } from "./routes.ts";

/** Address, title and description of each prerendered page. */
export { heads };

/** Patterns of all pages. The server answers other addresses with 404 unless they are prerendered pages. */
export const patterns = [
  ...routes.filter(({ path }) => !path.hasFixedPaths).map(({ path }) => path.pattern),
  ...[paths.maintenance, paths.error500].map(({ pattern }) => pattern),
];

/** Addresses that show the page of another address: a price id shows its product (docs/domain.md#plans). */
export const aliases: readonly (readonly [string, string])[] = planCatalogue.flatMap(({ slug }) =>
  planIntervals.map((interval) => [
    paths.product.href({ productId: buildPlanPriceId(slug, interval) }),
    paths.product.href({ productId: slug }),
  ]),
);

/**
 * Returns the HTML of a page as visitors first see it.
 * @throws any error of a component
 */
export const prerender = (path: string): Promise<string> => render(path, <App />);

/** A page for signed-in users: its name, the pattern of its address, its heading and the roles that may open it. */
export interface PortalPage {
  readonly name: PageName;
  readonly pattern: string;
  readonly title: string;
  readonly roles: readonly Role[];
}

/** The pages for signed-in users. */
export const portalPages: readonly PortalPage[] = (Object.keys(pages) as PageName[]).flatMap((name) => {
  const { pattern, title } = paths[name];
  const allowed = roles.filter((role) => canOpen(pages[name].access, role));
  return allowed.length === 0 ? [] : [{ name, pattern, title, roles: allowed }];
});

/** Returns the HTML of the shell around a page that loads, as every user with a role sees it: without a name. */
export async function prerenderFrame({ pattern, title }: PortalPage, role: Role): Promise<string> {
  const { Shell } = await import("./portal/portal-shell.tsx");
  const claims = { id: "", email: "", givenName: "", familyName: "", role };
  // A token without claims: admins see all links. `show-frame.js` removes those of other staff roles.
  const session = { accessToken: ".e30.", refreshToken: "", expiresAt: 0, claims };
  return render(
    pattern,
    <PortalTheme>
      <Shell session={session} isPrerendered>
        <PageLayout title={title}>
          <LoadingBlock label="Loading the page" tall />
        </PageLayout>
      </Shell>
    </PortalTheme>,
  );
}

async function render(path: string, content: ReactNode): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location={path}>{content}</StaticRouter>
    </StrictMode>,
    {
      // A late chunk would need an inline script, which the content security policy blocks.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        throw error;
      },
    },
  );
  let html = "";
  for await (const part of prelude) html += String(part);
  if (html.includes("<script"))
    throw new Error(
      `The page at ${path} contains an inline script of React, which the content security policy would block.`,
    );
  return html;
}

/**
 * Returns the source files of the page at an address, relative to the root of the repository. Includes the file of the
 * content lookup if the page is content.
 */
export function findSources(path: string): string[] {
  const named = namedContent.get(toContentName(path));
  const table = [...routes, contentRoute].map((entry) => ({ path: entry.path.pattern, entry }));
  const found = named ? [contentRoute.page, named] : [matchRoutes(table, path)?.at(-1)?.route.entry.page];
  return found.flatMap((page) => page?.source ?? []);
}
