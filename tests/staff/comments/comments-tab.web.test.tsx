import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import { field, fill, messageUnder } from "#tests/support/fill-form.ts";
import { failing, listColumns, type Mock, mockQuery, renderMocked, startAs } from "#tests/support/mock-query.tsx";
import { CommentsTab } from "#web/staff/comments/comments-tab.tsx";
import { AddCommentDocument, UserCommentsDocument } from "#web/generated/graphql.ts";

beforeEach(() => startAs("admin"));

const comment = (id: string, words: string, commentDate = "2026-09-03T04:05:00.000Z") => ({
  id,
  comment: words,
  commentedBy: "Morgan Reyes",
  commentDate,
});
const list = (...comments: unknown[]) =>
  mockQuery(UserCommentsDocument, { userId: "user-1" }).returns({ user: { id: "user-1", comments } });
const open = (...mocks: Mock[]) => renderMocked(mocks, <CommentsTab userId="user-1" />);

async function openForm(view: ReturnType<typeof open>) {
  await view.user.click(screen.getByRole("button", { name: "Add a comment" }));
  return within(await screen.findByRole("dialog", { name: "Add a comment" }));
}

test("lists ten comments per page with author and date and shows scripts as text", async () => {
  const many = Array.from({ length: 9 }, (_, n) => comment(`c-${n}`, `older ${n}`));
  open(
    list(
      comment("c-a", "One\n\n<script>alert(1)</script>", "2026-11-03T04:05:00.000Z"),
      comment("c-b", "Two"),
      ...many,
    ),
  );
  expect(await screen.findByText("1–10 of 11")).toBeTruthy();
  expect(listColumns()).toBe("Comment | Commented by | Comment date");
  const [, first] = screen.getAllByRole("row");
  const cells = within(first as HTMLElement).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent)).toEqual([
    "One\n\n<script>alert(1)</script>",
    "Morgan Reyes",
    expect.stringMatching(/^3 Nov 2026, \d+:\d\d [ap]m AWST$/),
  ]);
  expect(document.querySelector("td script")).toBeNull();
});

test("opens the form of a link only for staff who may comment", async () => {
  for (const [role, forms] of [
    ["support", 1],
    ["finance", 0],
  ] as const) {
    startAs("admin", { staffRoles: [role] });
    const listed = list(comment("c-a", "Two"));
    const { place, unmount } = renderMocked([listed], <CommentsTab userId="user-1" />, "/?action=add");
    expect(await screen.findByText("Two")).toBeTruthy();
    await waitFor(() => expect(place()).toBe("/"));
    await waitFor(() => expect(screen.queryAllByRole("dialog")).toHaveLength(forms));
    unmount();
  }
});

test("discards unsaved input when the dialog closes, shows errors, and saves and lists a comment", async () => {
  const adding = mockQuery(AddCommentDocument, { userId: "user-1", comment: "Rang twice." });
  const listed = list(comment("new", "Rang twice."));
  const view = open(failing(list()), list(), adding.fails(), adding.returns({ addComment: { id: "new" } }), listed);
  expect(await screen.findByText("Unable to fetch the comments")).toBeTruthy();
  await view.user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("No comments.")).toBeTruthy();
  for (const close of ["Cancel", "Close dialog"]) {
    const form = await openForm(view);
    expect(field("Comment").value).toBe("");
    // As in the rule, an emoji and a letter with its accent count as one, and an invisible character doesn't count.
    fill({ Comment: "never\u200b mind 👩‍🔧 e\u0301" });
    expect(form.getByText("14 of 500 characters")).toBeTruthy();
    await view.user.click(form.getByRole("button", { name: close }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  }
  const form = await openForm(view);
  const save = () => view.user.click(form.getByRole("button", { name: "Save" }));
  await save();
  await waitFor(() => expect(messageUnder(field("Comment"))).toBe("Comment is required."));
  fill({ Comment: " Rang twice. " });
  await save();
  expect(await screen.findByText("Unable to add the comment.")).toBeTruthy();
  expect(field("Comment").value).toBe(" Rang twice. ");
  await save();
  expect(await screen.findByText("Comment has been successfully saved.")).toBeTruthy();
  expect(await screen.findByRole("cell", { name: "Rang twice." })).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
