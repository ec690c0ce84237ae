import { readFileSync } from "node:fs";
import { join } from "node:path";
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import articles from "content:article-heads";
import states from "content:add-in-states";
import content from "content:pages/add-in";
import { messageOfResultCode } from "#schema/result-code.ts";
import { sandboxCodes } from "#schema/sandbox-codes.ts";
import { renderWeb, resetSession } from "#tests/support/render-web.tsx";
import AddInPage from "#web/site/add-in/add-in-page.tsx";

beforeEach(resetSession);
afterEach(() => void vi.unstubAllGlobals());

const stubReleases = (respond: () => Promise<Response>) => vi.stubGlobal("fetch", respond);
const changelog = () => within(screen.getByRole("region", { name: content.changelog.title }));

test("shows only messages that the service or its .NET client has, with the sandbox code that returns them", () => {
  const client = readFileSync(join(import.meta.dirname, "../../../clients/dotnet/src/LicenceTexts.cs"), "utf8");
  const answers: readonly string[] = Object.values(messageOfResultCode);
  for (const { title, client: own } of content.states) if (own) expect(client, title).toContain(own);
  for (const { message, sandbox } of states) {
    const result = sandboxCodes.find(({ licenceCode }) => licenceCode === sandbox)?.result;
    if (sandbox && result !== "VALID") expect(answers).toContain(message);
    if (result && result !== "VALID") expect(message).toBe(messageOfResultCode[result]);
  }
  for (const { article } of states) expect(articles.map(({ id }) => id)).toContain(article);
});

test("lists published versions with their dates and what changed", async () => {
  stubReleases(async () =>
    Response.json([
      { version: "7.2.0", publishedAtUtc: "2026-11-02T01:00:00.000Z" },
      { version: "7.1.0", publishedAtUtc: "2026-08-03T01:00:00.000Z" },
    ]),
  );
  renderWeb(<AddInPage />);
  await changelog().findByText("7.2.0");
  const rows = changelog().getAllByRole("listitem");
  expect(rows[0]?.textContent).toContain("7.2.02 Nov 2026Activate by signing in");
  expect(rows[1]?.textContent).toBe("7.1.03 Aug 2026");
});

test("says if no version is published, or if the list can't be loaded", async () => {
  stubReleases(async () => Response.json([]));
  const { unmount } = renderWeb(<AddInPage />);
  await screen.findByText(content.changelog.empty);
  unmount();
  stubReleases(async () => new Response("", { status: 503 }));
  renderWeb(<AddInPage />);
  await screen.findByText(content.changelog.failed);
});
