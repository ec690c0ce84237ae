import lookup from "content:lookup";
import { createElement } from "react";
import { useLocation } from "react-router-dom";
import { type LazyPage, lazyPage } from "#web/platform/lazy-page.ts";
import { PlainPage, type PlainPageContent } from "#web/site/plain-page.tsx";
import NotFoundPage from "#web/ui/errors/error-404.tsx";
import { namedContent, toContentName } from "./routes.ts";

const pages = new Map<string, LazyPage>([
  ...Object.entries(lookup).map(([name, load]): [string, LazyPage] => [
    name,
    lazyPage(async () => {
      const { default: content } = await load();
      return { default: () => <PlainPage content={content as unknown as PlainPageContent} /> };
    }),
  ]),
  ...namedContent,
]);

/**
 * Page for every address without a route. Looks up the content page by name. Most are plain pages; those in
 * `namedContent` have their own layout.
 */
export default function ContentPage() {
  const { pathname } = useLocation();
  return createElement(pages.get(toContentName(pathname))?.Page ?? NotFoundPage);
}
