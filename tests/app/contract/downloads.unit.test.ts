import { expect, test } from "vitest";
import { routes } from "#api/v1/routes.ts";
import { downloadRules } from "#schema/downloads.ts";

test("validates the body of every download with the rules from which pages derive its type", () => {
  for (const [path, rules] of Object.entries(downloadRules)) {
    const route = routes.find(({ method, url }) => method === "POST" && url === path);
    expect(route?.body, path).toBe(rules);
    expect(route?.fileTypes, path).not.toEqual([]);
  }
});
