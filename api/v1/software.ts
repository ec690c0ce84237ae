import { Type } from "typebox";
import { formatLegend } from "#schema/closed-list.ts";
import { softwareStages, updateCheckRules } from "#schema/software.ts";
import { listReleases } from "#api/releases/software/list-releases.ts";
import { checkUpdate } from "#api/releases/software/check-update.ts";
import { namedObject, text, describedText } from "#api/platform/http/json-types.ts";
import { cachedKeys, exampleKey, publishedKeys } from "./published-keys.ts";
import { StatusResponse, defineRoute } from "./define-route.ts";

/** Calls for updates of the add-in and its published versions. */
export const softwareRoutes = [
  defineRoute({
    method: "GET",
    url: "/v1/software/releases",
    operation: "Query.softwareReleases",
    tag: "Add-in",
    summary: "List the versions of the add-in that Production published last, the newest first. At most 50",
    response: Type.Array(namedObject("SoftwareRelease", { version: text, publishedAtUtc: text })),
    example: [{ version: "7.2.0", publishedAtUtc: "2026-11-02T01:00:00.000Z" }],
    handler: async ({ context }) =>
      (await listReleases(context)).map(({ version, publishedAt }) => ({
        version,
        publishedAtUtc: publishedAt?.toISOString() ?? "",
      })),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/software/update",
    allow: { audience: "everyone", scope: "open" },
    tag: "Add-in",
    summary:
      "Check for an update of the add-in. Returns the latest build of a stage, or 204 if the installed version is up to date. Version 0 always returns the build, so an add-in can verify its proof",
    query: updateCheckRules,
    params: {
      stage: { description: `${formatLegend(softwareStages)}; default 4`, example: 4 },
      version: { description: "The installed version", example: "7.2.0" },
    },
    response: namedObject("SoftwareUpdate", {
      version: text,
      url: text,
      sha256: describedText("SHA-256 of the installer, hexadecimal"),
      proof: describedText(
        "JWS signed by a release key (ES256, typ update-manifest). Its payload repeats version, url, sha256 and stage, and has sequence, iat and exp. Refuse a lower sequence than the last one seen for the stage, and an expired proof",
      ),
    }),
    otherResponses: { 204: { description: "The installed version is up to date." } },
    example: {
      version: "7.2.0",
      url: "https://portal.example/software/production/7.2.0/Planvarro-Setup-7.2.0.exe",
      sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
      proof: "eyJhbGciOiJFUzI1NiIsInR5cCI6InVwZGF0ZS1tYW5pZmVzdCIsImtpZCI6IjEifQ.eyJ2ZXJzaW9uIjoiNy4yLjAifQ.MEUC…",
    },
    handler: async ({ context, query }) => (await checkUpdate(context, query)) ?? new StatusResponse(204, undefined),
  }),
  defineRoute({
    method: "GET",
    url: "/v1/software/release-keys",
    allow: { audience: "everyone", scope: "open" },
    tag: "Add-in",
    summary:
      "Get the public release keys. A JWK set for verifying update proofs. Ship the keys with the add-in instead of fetching them, where possible",
    headers: cachedKeys,
    response: publishedKeys,
    example: exampleKey("release-1"),
    handler: ({ context }) => context.releaseKeys.jwks(),
  }),
];
