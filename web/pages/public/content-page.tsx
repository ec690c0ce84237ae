import lookup from "content:lookup";
import { type ComponentType, createElement, lazy } from "react";
import { useLocation } from "react-router-dom";
import { nameOfAddress, namedPages } from "#web/app/named-pages.ts";
import { PlainPage, type PlainPageContent } from "#web/features/public-page/plain-page.tsx";
import NotFoundPage from "./error-404.tsx";

const pages = new Map<string, ComponentType>([
  ...Object.entries(lookup).map(([name, load]): [string, ComponentType] => [
    name,
    lazy(async () => {
      const { default: content } = await load();
      return { default: () => <PlainPage content={content as unknown as PlainPageContent} /> };
    }),
  ]),
  ...namedPages.map(({ path, page }): [string, ComponentType] => [path.pattern, page.Page]),
]);

/**
 * Every address that no route has: looked up among the pages of the content by its name (spec, public §2). Most are plain
 * pages; `namedPages` are those that have a form of their own.
 */
export default function ContentPage() {
  const { pathname } = useLocation();
  return createElement(pages.get(nameOfAddress(pathname)) ?? NotFoundPage);
}
