import { screen, waitFor, within } from "@testing-library/react";
import { Route, Routes } from "react-router-dom";
import { expect, test, vi } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { mockGraphqlResponse } from "#tests/support/render-web.tsx";
import { watchSavedFiles } from "#tests/support/watch-saved-files.ts";
import { getSession } from "#web/platform/session.ts";
import { DeleteMyAccountDocument } from "#web/generated/graphql.ts";
import YourDataPage from "#web/privacy/your-data/download-my-data.tsx";
import LogoutPage from "#web/access/sessions/logout-page.tsx";

function open(mocks: Mock[] = []) {
  startAs("regular");
  return renderMocked(
    mocks,
    <Routes>
      <Route path="/your-data/" element={<YourDataPage />} />
      <Route path="/logout/" element={<LogoutPage />} />
      <Route path="/" element={null} />
    </Routes>,
    "/your-data/",
  );
}

const download = (user: ReturnType<typeof open>["user"]) =>
  user.click(screen.getByRole("button", { name: "Download my data" }));

test("requests the data with the session's token and saves it as an indented file", async () => {
  const { user } = open();
  const files = watchSavedFiles();
  const requests: [string, string | null][] = [];
  vi.stubGlobal("fetch", async (url: string, init: { headers: HeadersInit }) => {
    requests.push([url, new Headers(init.headers).get("authorization")]);
    return mockGraphqlResponse({ profile: { firstName: "Ada" } });
  });
  await download(user);
  expect(await screen.findByText("Your data has been downloaded as my-data.json.")).toBeTruthy();
  expect(requests).toEqual([["/v1/core/accounts/my-data", `Bearer ${getSession()?.accessToken}`]]);
  expect(files.map((file) => file.name)).toEqual(["my-data.json"]);
  expect(await files[0]?.text).toBe('{\n  "profile": {\n    "firstName": "Ada"\n  }\n}');
});

test("shows the API's message after too many downloads, and a general error otherwise", async () => {
  const { user } = open();
  const files = watchSavedFiles();
  const failed = "Unable to download your data.";
  for (const [answer, message] of [
    [async () => mockGraphqlResponse({ Message: "Too many attempts." }, 429), "Too many attempts."],
    [async () => mockGraphqlResponse({ Message: "Oops, something went wrong." }, 500), failed],
    [() => Promise.reject(new TypeError("Failed to fetch")), failed],
  ] as const) {
    vi.stubGlobal("fetch", answer);
    await download(user);
    await waitFor(() => expect(screen.getByRole("alert").textContent).toBe(message));
  }
  expect(files).toEqual([]);
});

const removal = mockQuery(DeleteMyAccountDocument, { input: { password: "Planner-tasks-47" } });

async function openDialog(mocks: Mock[] = []) {
  const view = open(mocks);
  await view.user.click(screen.getByRole("button", { name: "Delete my account" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Delete account" }));
  return { ...view, dialog };
}

test("explains the consequences and requires the password", async () => {
  const { user, dialog } = await openDialog();
  expect(screen.getByText(/your licences end and the add-in stops converting/)).toBeTruthy();
  expect(screen.getByText(/we email you a certificate that lists what was erased/)).toBeTruthy();
  expect(dialog.getByText(/This cannot be undone/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Delete account" }));
  await waitFor(() => expect(messageUnder(field("Password"))).toBe("Password is required."));
  await waitFor(() => expect(document.activeElement).toBe(field("Password")));
});

test("reports that the account couldn't be deleted", async () => {
  const { user, dialog } = await openDialog([removal.fails()]);
  fill({ Password: "Planner-tasks-47" });
  await user.click(dialog.getByRole("button", { name: "Delete account" }));
  await waitFor(() => expect(screen.getByRole("alert").textContent).toBe("Unable to delete your account."));
});

test("confirms the deletion, clears the session and returns to the home page", async () => {
  const { user, dialog, place } = await openDialog([removal.returns({ deleteMyAccount: {} })]);
  vi.stubGlobal("fetch", async () =>
    mockGraphqlResponse({ data: null, errors: [{ message: "", extensions: { code: "UNAUTHENTICATED" } }] }),
  );
  fill({ Password: "Planner-tasks-47" });
  await user.click(dialog.getByRole("button", { name: "Delete account" }));
  expect(
    await screen.findByText("Your account is closed. We'll email you when your data has been erased."),
  ).toBeTruthy();
  await waitFor(() => expect(place()).toBe("/"));
  expect(getSession()).toBeNull();
});
