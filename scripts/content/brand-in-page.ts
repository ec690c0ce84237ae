import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { brand } from "#schema/brand.ts";

/** A script as it stands in a page: without the lines that are there for those who read its file. */
export const withoutComments = (script: string): string => script.replace(/^\s*\/\/.*\n/gm, "");

/** Puts the brand into a page, so that brand.ts stays the one place that names it, and what runs before the first paint. */
export const brandInPage: Plugin = {
  name: "brand-in-page",
  transformIndexHtml: (html) =>
    html
      .replaceAll("%BRAND_NAME%", brand.name)
      .replaceAll("%PRODUCT_NAME%", brand.productName)
      .replace("%BEFORE_PAINT%", () => withoutComments(readFileSync("web/app/before-paint.js", "utf8"))),
};
