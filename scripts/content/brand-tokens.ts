/** Builds the portal with placeholders instead of the brand, and fills in the built-in one (decision 0061). */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Plugin } from "vite";
import { brand } from "#schema/brand.ts";
import { fillTokens, hasTokens, TEMPLATES, textKinds, toTokens } from "#schema/brand-tokens.ts";

const builtIn = structuredClone(brand);

/** Returns the built-in brand, also while a build uses placeholders. */
export const getBuiltInBrand = (): typeof brand => builtIn;

/**
 * Creates a Vite plugin that puts placeholders into the build instead of the brand. Pages are rendered with the built-in
 * time zone, because a placeholder isn't one.
 * @param target `prerender` for the code that renders the pages
 */
export function brandTokensPlugin(target: "browser" | "prerender" = "browser"): Plugin {
  return {
    name: "brand-tokens",
    apply: "build",
    enforce: "pre",
    config() {
      // The build's own code reads the brand as well.
      Object.assign(brand, toTokens(builtIn, ["timeZone"]));
    },
    transform: {
      filter: { id: /[\\/]schema[\\/]brand\.ts$/ },
      handler: () => ({
        code: `export const brand = ${JSON.stringify(toTokens(builtIn, target === "browser" ? [] : ["timeZone"]))};`,
        map: null,
      }),
    },
  };
}

/** Moves the files of a build that contain placeholders to `templates/`, and writes them with the built-in brand. */
export function fillBuiltInBrand(outDir: string): void {
  for (const file of readdirSync(outDir, { recursive: true, encoding: "utf8" })) {
    const kind = textKinds[extname(file)];
    if (!kind || file.startsWith(TEMPLATES)) continue;
    const text = replaceNames(readFileSync(join(outDir, file), "utf8"));
    if (!hasTokens(text) && !hasTokens(file)) continue;
    write(join(outDir, TEMPLATES, file), text);
    rmSync(hasTokens(dirname(file)) ? join(outDir, dirname(file)) : join(outDir, file), { recursive: true });
    write(join(outDir, fillTokens(file, builtIn, "plain")), fillTokens(text, builtIn, kind));
  }
}

/** Replaces the built-in names with placeholders in files that don't come from the brand, such as captions and samples. */
function replaceNames(text: string): string {
  const { name, productName, segment } = toTokens(builtIn);
  return text
    .replaceAll(builtIn.name, name)
    .replaceAll(builtIn.productName, productName)
    .replace(/\bxer-(?=(?:standard|plus|professional)\b)/g, `${segment}-`);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

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
