import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { type MockedResponse, mockApi, MockedError } from "#tests/support/mock-api.ts";
import { startAs } from "#tests/support/mock-query.tsx";
import { renderWeb } from "#tests/support/render-web.tsx";
import { SEARCH_LABEL, SearchBox } from "#web/staff/search/search-box.tsx";

const hit = (kind: string, label: string, changes = {}) => ({
  id: `${kind}-${label}`,
  kind,
  label,
  subLabel: `about ${label}`,
  userId: "user-1",
  licenceId: null,
  isPast: false,
  ...changes,
});

const toResponse = (hits: unknown[], hint: string | null = null, others: object = {}) => ({
  search: { hits, promoCodeHits: [], buildHits: [], hint, ...others },
});

beforeEach(() => startAs("admin"));

function open(search: MockedResponse, answers: Record<string, MockedResponse> = {}) {
  const requests = mockApi({ Search: search, ...answers });
  return { requests, ...renderWeb(<SearchBox look="page" />, { at: "/admin/" }) };
}

const box = () => screen.getByRole<HTMLInputElement>("combobox", { name: SEARCH_LABEL });
const type = (value: string) => fireEvent.change(box(), { target: { value } });
const options = async () => (await screen.findAllByRole("option")).map((option) => option.textContent);

test("opens each kind of hit at its page", async () => {
  const targets: [found: ReturnType<typeof hit>, href: string][] = [
    [hit("USER", "Ada Byron"), "/admin/update-user/user-1/"],
    [hit("CONTACT", "Mary Somerville"), "/admin/update-user/user-1/?tab=contacts"],
    [hit("LICENCE", "S-7K3QMX9D", { licenceId: "licence-1" }), "/licence-history/licence-1/"],
    [hit("DEVICE", "LAPTOP", { licenceId: "licence-1" }), "/manage-activated-devices/licence-1/user-1/"],
    [hit("DEVICE", "OLD", { licenceId: "licence-1", isPast: true }), "/licence-history/licence-1/"],
    [hit("INVOICE", "Tax invoice 100001", { id: "i-1" }), "/admin/update-user/user-1/?tab=billing&invoice=i-1"],
  ];
  const { place, user } = open(({ text }: Record<string, unknown>) =>
    toResponse(targets.map(([found]) => found).filter(({ label }) => label === text)),
  );
  for (const [{ label }, href] of targets) {
    await user.click(box());
    type(label);
    await waitFor(async () => expect(await options()).toEqual([expect.stringMatching(new RegExp(`^${label} about`))]));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(place()).toBe(href));
    expect(box().value).toBe("");
  }
});

test("finds screens by the start of a word, above what the API finds, and opens one with Enter", async () => {
  const { place, user } = open(toResponse([hit("USER", "Corinne Userman")]));
  await user.click(box());
  type("user");
  const getFirstWords = async () => (await options()).map((text) => text?.replace(/ .*/, ""));
  await waitFor(async () => expect(await getFirstWords()).toEqual(["Users", "Create", "Corinne"]));
  await user.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(place()).toBe("/admin/create-user/"));
});

test("opens a screen without waiting for the API, and while the API is unreachable", async () => {
  const { place, user } = open(new MockedError("INTERNAL", "down"));
  await user.click(box());
  type("audit l");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/admin/audit-log/"));
});

test("selects hits with the arrow keys, wraps around and exposes the active hit to screen readers", async () => {
  const { place, user } = open(
    toResponse([hit("USER", "One"), hit("USER", "Two"), hit("DEVICE", "Three", { licenceId: "l" })]),
  );
  await user.click(box());
  type("o");
  expect(screen.queryByRole("option")).toBeNull();
  type("on");
  expect(await options()).toHaveLength(3);
  const chosen = () => document.getElementById(box().getAttribute("aria-activedescendant") ?? "")?.textContent;
  expect(chosen()).toContain("One");
  await user.keyboard("{ArrowDown}");
  expect(chosen()).toContain("Two");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(chosen()).toContain("Three");
  expect(screen.getByRole("status").textContent).toBe("3 matches.");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/manage-activated-devices/l/user-1/"));
});

test("keeps a hit active if fewer arrive than the list had in which the user moved", async () => {
  const [anna, annabel] = [hit("USER", "Anna"), hit("USER", "Annabel")];
  const { place, user } = open(({ text }: Record<string, unknown>) =>
    toResponse(text === "anna" ? [anna] : [anna, annabel]),
  );
  await user.click(box());
  type("ann");
  expect(await options()).toHaveLength(2);
  type("anna");
  await user.keyboard("{ArrowDown}");
  await waitFor(async () => expect(await options()).toHaveLength(1));
  expect(document.getElementById(box().getAttribute("aria-activedescendant") ?? "")?.textContent).toContain("Anna");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/admin/update-user/user-1/"));
});

test("sends one request after a typing pause and ignores outdated responses", async () => {
  let respondToFirst: (response: unknown) => void = () => {};
  const { requests } = open(({ text }: Record<string, unknown>) =>
    text === "slow"
      ? new Promise((resolve) => {
          respondToFirst = resolve;
        })
      : toResponse([hit("USER", "Newer")]),
  );
  fireEvent.focus(box());
  for (const typed of ["s", "sl", "slo", "slow"]) type(typed);
  await waitFor(() => expect(requests.map(({ variables }) => variables.text)).toEqual(["slow"]));
  type("newer");
  expect(await options()).toEqual([expect.stringContaining("Newer")]);
  respondToFirst(toResponse([hit("USER", "Older")]));
  await Promise.resolve();
  expect(screen.queryByText("Older")).toBeNull();
});

test("opens the first hit if Enter is pressed before the response arrives", async () => {
  const { place, user } = open(toResponse([hit("LICENCE", "S-7K3QMX9D", { licenceId: "licence-1" })]));
  await user.click(box());
  await user.paste("S-7K3QMX9D");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/licence-history/licence-1/"));
});

test("shows a message and a hint if nothing is found", async () => {
  const { user } = open(({ text }: Record<string, unknown>) =>
    toResponse([], text === "S-00000000" ? "This looks like a support code." : null),
  );
  await user.click(box());
  type("nobody");
  expect(await screen.findByText("Nothing matches “nobody”. Check the spelling or use fewer words.")).toBeTruthy();
  type("S-00000000");
  expect(await screen.findByText("Nothing matches “S-00000000”. This looks like a support code.")).toBeTruthy();
});

test("shows an error, retries on Enter, and closes and clears the box with Escape", async () => {
  let fails = true;
  const { user } = open(() => (fails ? new MockedError("INTERNAL", "Oops") : toResponse([hit("USER", "Ada")])));
  await user.click(box());
  type("ada");
  expect(await screen.findByText("Unable to search. Press Enter to try again.")).toBeTruthy();
  fails = false;
  await user.keyboard("{Enter}");
  expect(await options()).toHaveLength(1);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("option")).toBeNull();
  expect([box().value, box().getAttribute("aria-expanded")]).toEqual(["ada", "false"]);
  await user.keyboard("{Escape}");
  expect(box().value).toBe("");
});

test("focuses the box on Ctrl+K unless a dialog is open", async () => {
  const { user } = open(toResponse([]));
  await user.keyboard("{Control>}k{/Control}");
  expect(document.activeElement).toBe(box());
  box().blur();
  const dialog = document.createElement("dialog");
  dialog.setAttribute("open", "");
  document.body.append(dialog);
  await user.keyboard("{Control>}k{/Control}");
  expect(document.activeElement).not.toBe(box());
  dialog.remove();
});

test("leads to a promo code and to a build with their dialog open", async () => {
  const found = (kind: string, id: string, label: string) => [{ id, kind, label, subLabel: "x", isPast: false }];
  const { place, user } = open(
    toResponse([], null, {
      promoCodeHits: found("PROMO_CODE", "p-1", "SPRING10"),
      buildHits: found("SOFTWARE_BUILD", "b-1", "7.2.0 Production"),
    }),
  );
  await user.click(box());
  type("spring");
  expect(await options()).toEqual([expect.stringContaining("Promo code"), expect.stringContaining("Build")]);
  await user.keyboard("{Enter}");
  await waitFor(() => expect(place()).toBe("/admin/manage-promo-codes/?action=edit&on=p-1"));
  await user.click(box());
  type("7.2");
  await options();
  await user.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(place()).toBe("/admin/manage-software/?action=details&on=b-1"));
});

test("retries the actions on Enter after an error, and returns to the hits with Escape", async () => {
  let fails = true;
  const chosen = { id: "user-1", firstName: "Grace", lastName: "Hopper", memberType: "REGULAR", licences: [] };
  const { user } = open(toResponse([hit("USER", "One"), hit("USER", "Grace Hopper")]), {
    UserActions: () => (fails ? new MockedError("INTERNAL", "Oops") : { user: chosen }),
  });
  await user.click(box());
  type("hop");
  await options();
  await user.keyboard("{ArrowDown}{ArrowRight}");
  await screen.findByText("Unable to load the actions. Press Enter to try again.");
  fails = false;
  await user.keyboard("{Enter}");
  await screen.findByText("Actions on Grace Hopper");
  await user.keyboard("{Escape}");
  expect(box().value).toBe("hop");
  expect((await options())[0]).toContain("One");
});
