import lookup from "content:lookup";
import { type ComponentType, createElement, lazy } from "react";
import { useLocation } from "react-router-dom";
import { PlainPage, type PlainPageContent } from "#web/features/public-page/plain-page.tsx";
import { NotFoundPage } from "./error-404.tsx";

const pages = new Map<string, ComponentType>(
  Object.entries(lookup).map(([name, load]) => [
    name,
    lazy(async () => {
      const { default: content } = await load();
      return { default: () => <PlainPage content={content as unknown as PlainPageContent} /> };
    }),
  ]),
);

/**
 * Every address that no route has: looked up among the pages of the content by its name, slashes trimmed, in lower case
 * (spec, public §2).
 */
export default function ContentPage() {
  const { pathname } = useLocation();
  const name = pathname.replace(/^\/+|\/+$/g, "").toLowerCase();
  return createElement(pages.get(name) ?? NotFoundPage);
}
