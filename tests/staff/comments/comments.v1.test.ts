import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { MINUTE } from "#api/platform/clock.ts";
import { newCommentRules } from "#schema/comment.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { User } from "#api/people/users/user.entity.ts";
import { deleteAccount } from "#tests/factories/account.ts";
import { createSignedIn, createSignedInAdmin, createUser } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { listFieldErrors } from "#tests/support/field-errors.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const { user: admin, token } = await createSignedInAdmin(app, { firstName: "Morgan", lastName: "Reyes" });
const em = () => app.services.orm.em.fork();

const add = (entityId: string, comment: unknown, changes: object = {}) =>
  app.rest("POST", "/v1/comments/add", { body: { entityId, comment, commentEntityType: "0", ...changes }, token });
const get = (entityId: unknown, changes: object = {}) =>
  app.rest("POST", "/v1/comments/get", { body: { entityId, commentEntityType: "0", ...changes }, token });

test("keeps the author's name, time and line breaks of a comment and records an audit entry", async () => {
  const user = await createUser(app);
  const { status, json: id } = await add(user.id, "  Wants a quote.\n\n– 25 users\n– by Friday  ");
  expect(status).toBe(200);
  await em().nativeUpdate(User, admin.id, { lastName: "Married" });
  expect((await get(user.id)).json).toEqual([
    {
      id,
      comment: "Wants a quote.\n\n– 25 users\n– by Friday",
      commentedBy: "Morgan Reyes",
      commentDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      entityId: user.id,
      commentEntityType: "0",
    },
  ]);
  await em().nativeUpdate(User, admin.id, { lastName: "Reyes" });
  expect(await listAuditEntries(app, id)).toMatchObject([
    {
      action: "add-comment",
      subjectType: "comment",
      userId: user.id,
      actorId: admin.id,
      before: null,
      after: { comment: "Wants a quote.\n\n– 25 users\n– by Friday" },
    },
  ]);
});

test("lists only the user's comments, newest first, over REST and GraphQL", async () => {
  const [user, other] = [await createUser(app), await createUser(app)];
  const start = app.clock.offsetMs;
  for (const [minute, words] of ["first", "second", "third"].entries()) {
    app.clock.setOffset(start + minute * MINUTE);
    await add(user.id, words);
  }
  app.clock.setOffset(start);
  await add(other.id, "about another user");
  const newestFirst = ["third", "second", "first"];
  expect((await get(user.id)).json.map((row: { comment: string }) => row.comment)).toEqual(newestFirst);
  const { comments } = await app.call("user { comments { comment } }", { id: user.id }, token);
  expect(comments).toEqual(newestFirst.map((comment) => ({ comment })));
});

test("has 2 to 500 characters of text, over REST and GraphQL", async () => {
  const cases = [
    ["comment", "xx", null],
    ["comment", "x".repeat(500), null],
    ["comment", "   \n ", "Comment is required."],
    ["comment", undefined, "Comment is required."],
    ["comment", " x ", "Comment is too short"],
    ["comment", "too long ".repeat(56), "Comment is too long"],
    ["comment", "😀".repeat(501), "Comment is too long"],
    ["comment", 12, "Must be text."],
    ["comment", "a\u0000b", "Contains characters that are not allowed."],
  ] as const;
  expect(listFieldErrors(newCommentRules, { entityId: "1", commentEntityType: "0" }, cases)).toEqual(cases);
  const { id } = await createUser(app);
  expect(await add(id, "x")).toMatchObject({ status: 400, json: { comment: ["Comment is too short"] } });
  const added = app.call("addComment { id }", { userId: id, comment: "x" }, token);
  await expect(added).rejects.toMatchObject({ fields: { comment: ["Comment is too short"] } });
  expect(await em().count(Comment, { user: id })).toBe(0);
});

test("accepts only entity type 0, as text or number", async () => {
  const { id } = await createUser(app);
  expect((await add(id, "as a number", { commentEntityType: 0 })).status).toBe(200);
  for (const commentEntityType of ["1", 1, "user", {}, ["0"]]) {
    const errors = { commentEntityType: ["Comment entity type must be 0, a user."] };
    expect((await get(id, { commentEntityType })).json).toEqual(errors);
    expect((await add(id, "words", { commentEntityType })).json).toEqual(errors);
  }
  const commentEntityType = ["Comment entity type is required."];
  expect((await get(undefined, { commentEntityType: undefined })).json).toEqual({
    commentEntityType,
    entityId: ["Entity id is required."],
  });
});

test("returns 404 for an unknown user and 409 for a deleted account", async () => {
  for (const id of [randomUUID(), "7"])
    for (const { status } of [await get(id), await add(id, "words")]) expect(status).toBe(404);
  const { user: deletedUser, token: theirs } = await createSignedIn(app);
  await add(deletedUser.id, "Prefers phone calls.");
  await deleteAccount(app, theirs);
  expect(await em().count(Comment, { user: deletedUser.id })).toBe(0);
  expect((await add(deletedUser.id, "words")).status).toBe(409);
  // The comment is also removed from the audit log.
  const rows = await app.services.pool.query("select * from audit_entries where user_id = $1", [deletedUser.id]);
  expect(rows.rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows.rows)).not.toContain("Prefers phone calls");
});

test("shows comments to customers in their data export, without the author", async () => {
  const { user, token: theirs } = await createSignedIn(app);
  await add(user.id, "Pays late, but pays.");
  const { json, text } = await app.rest("GET", "/v1/core/accounts/my-data", { token: theirs });
  expect(json.staffComments).toEqual([{ comment: "Pays late, but pays.", writtenAt: expect.stringMatching(/Z$/) }]);
  expect(text).not.toContain("Morgan");
});
