import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { brand } from "#schema/brand.ts";

/** Removes comment lines from a script that is inlined into a page. */
export const removeComments = (script: string): string => script.replace(/^\s*\/\/.*\n/gm, "");

/** Vite plugin that inserts the brand's names from brand.ts and the script that runs before the first paint. */
export const brandPlugin: Plugin = {
  name: "brand-in-page",
  transformIndexHtml: (html) =>
    html
      .replaceAll("%BRAND_NAME%", brand.name)
      .replaceAll("%PRODUCT_NAME%", brand.productName)
      .replace("%BEFORE_PAINT%", () => removeComments(readFileSync("web/app/before-paint.js", "utf8"))),
};
