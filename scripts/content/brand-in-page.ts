import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { brand } from "#schema/brand.ts";
import { withoutComments } from "./without-comments.ts";

/** Puts the brand into a page, so that brand.ts stays the one place that names it, and what runs before the first paint. */
export const brandInPage: Plugin = {
  name: "brand-in-page",
  transformIndexHtml: (html) =>
    html
      .replaceAll("%BRAND_NAME%", brand.name)
      .replaceAll("%PRODUCT_NAME%", brand.productName)
      .replace("%BEFORE_PAINT%", () => withoutComments(readFileSync("web/app/before-paint.js", "utf8"))),
};
