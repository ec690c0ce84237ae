import { formatLegend, softwareStages } from "#schema/catalogue.ts";
import { updateCheckRules } from "#schema/rules/software.ts";
import { checkUpdate } from "#api/releases/software/check-update.ts";
import { namedObject, text, describedText } from "#api/platform/json-types.ts";
import { StatusResponse, defineRoute } from "./define-route.ts";

/** Route that the add-in calls to check for updates. */
export const softwareRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/software/update",
    allow: "everyone",
    tag: "Add-in",
    summary:
      "Check for an update of the add-in. Returns the latest build of a stage, or 204 if the installed version is up to date",
    query: updateCheckRules,
    params: {
      stage: { description: `${formatLegend(softwareStages)}; default 4`, example: 4 },
      version: { description: "The installed version", example: "7.2.0" },
    },
    response: namedObject("SoftwareUpdate", {
      version: text,
      url: text,
      sha256: describedText("SHA-256 of the installer, hexadecimal"),
    }),
    otherResponses: { 204: { description: "The installed version is up to date." } },
    example: {
      version: "7.2.0",
      url: "https://portal.example/software/production/7.2.0/XER-Bridge-Setup-7.2.0.exe",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    },
    handler: async ({ context, query }) => (await checkUpdate(context, query)) ?? new StatusResponse(204, undefined),
  }),
];
