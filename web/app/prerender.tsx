import { StrictMode } from "react";
import { prerenderToNodeStream } from "react-dom/static";
import { matchRoutes, StaticRouter } from "react-router-dom";
import heads from "content:heads";
import { planCatalogue, planIntervals, planPriceId } from "#schema/plan-catalogue.ts";
import { App } from "./app.tsx";
import { nameOfAddress, namedPages } from "#web/pages/public/named-pages.ts";
import { paths } from "#web/platform/paths.ts";
import { contentPages } from "./public-routes.ts";
import { routes } from "./routes.ts";

/** Address, title and description of each page that is HTML before anybody asks for it. */
export { heads };

/** Every pattern that leads to a page; what fits none and is no page of its own is not found. */
export const patterns = [
  ...routes.filter(({ closed }) => !closed).map(({ path }) => path.pattern),
  ...[paths.maintenance, paths.error500].map(({ pattern }) => pattern),
];

/** Addresses that show the page of another one: a price id leads to its product (docs/domain.md#plans). */
export const aliases: readonly (readonly [string, string])[] = planCatalogue.flatMap(({ slug }) =>
  planIntervals.map((interval) => [
    paths.product.href({ productId: planPriceId(slug, interval) }),
    paths.product.href({ productId: slug }),
  ]),
);

/** The page at an address as a visitor first sees it. @throws whatever a component throws */
export async function prerender(path: string): Promise<string> {
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StaticRouter location={path}>
        <App />
      </StaticRouter>
    </StrictMode>,
    {
      // A part that arrives late would need an inline script to be put in its place, which the pages' policy forbids.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      onError: (error) => {
        throw error;
      },
    },
  );
  let html = "";
  for await (const part of prelude) html += String(part);
  if (html.includes("<script"))
    throw new Error(`The page at ${path} holds a script of React's, which would not be run.`);
  return html;
}

/**
 * The files of the page at an address, from the root of the repository: where it is looked up, that of the lookup too.
 */
export function sourcesOf(path: string): string[] {
  const named = namedPages.find((entry) => entry.path.pattern === nameOfAddress(path));
  const table = [...routes, contentPages].map((entry) => ({ path: entry.path.pattern, entry }));
  const found = named ? [contentPages, named] : [matchRoutes(table, path)?.at(-1)?.route.entry];
  return found.flatMap((entry) => entry?.page.source ?? []);
}
