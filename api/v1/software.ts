import { legend, softwareStages } from "#schema/catalogue.ts";
import { updateCheckRules } from "#schema/rules/software.ts";
import { checkUpdate } from "#api/releases/software/check-update.ts";
import { named, text, textOf } from "#api/platform/json-shapes.ts";
import { Answer, defineRoute } from "./frame.ts";

/** What the add-in asks about its own versions. */
export const softwareRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/software/update",
    allow: "everyone",
    tag: "Add-in",
    summary: "The newest build of a stage (4, Production, by default); 204 when the version that asks is no older",
    query: updateCheckRules,
    params: {
      stage: { description: `${legend(softwareStages)}; 4 when it is left out`, example: 4 },
      version: { description: "The version that asks", example: "7.2.0" },
    },
    answer: named("SoftwareUpdate", { version: text, url: text, sha256: textOf("Hexadecimal") }),
    otherAnswers: { 204: { description: "The version that asks is no older." } },
    example: {
      version: "7.2.0",
      url: "https://portal.example/software/production/7.2.0/XER-Bridge-Setup-7.2.0.exe",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    handler: async ({ context, query }) => (await checkUpdate(context, query)) ?? new Answer(204, undefined),
  }),
];
