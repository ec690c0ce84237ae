import { listCommentsRules, newCommentRules } from "#schema/rules/comment.ts";
import { addComment } from "#api/features/comments/add-comment.ts";
import { commentJson } from "#api/features/comments/comment.json.ts";
import { listComments } from "#api/features/comments/list-comments.ts";
import { defineRoute } from "./frame.ts";

const tag = "Comments";

/** What staff note on users (spec, admin §7). */
export const commentRoutes = [
  defineRoute({
    method: "POST",
    url: "/v1/comments/get",
    allow: "admin",
    tag,
    summary: "The comments on a user, newest first; commentEntityType is 0",
    body: listCommentsRules,
    answer: [
      {
        id: "8e41…",
        comment: "Prefers to be called in the morning.",
        commentedBy: "Morgan Reyes",
        commentDate: "2025-03-05T01:00:00.000Z",
        entityId: "0b6f…",
        commentEntityType: "0",
      },
    ],
    handler: async ({ context, body }) => (await listComments(context, body.entityId)).map(commentJson),
  }),
  defineRoute({
    method: "POST",
    url: "/v1/comments/add",
    allow: "admin",
    tag,
    summary: "Add a comment to a user; answers its id",
    body: newCommentRules,
    answer: "8e41…",
    handler: async ({ context, body }) => (await addComment(context, body.entityId, body)).id,
  }),
];
