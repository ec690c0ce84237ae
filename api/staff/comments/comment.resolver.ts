import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import {
  commentRules,
  listCommentsRules,
  newCommentRules,
  COMMENT_ON_USER,
  type CommentValues,
} from "#schema/comment.ts";
import { Allow } from "#api/platform/graphql/declare.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { getUser, lockUserAgainstDeletion, User } from "#api/people/users/user.entity.ts";
import { Comment } from "./comment.entity.ts";
import { Type, type Static } from "typebox";
import { id, moment, namedObject, routesOf, text } from "#api/platform/http/define-route.ts";
import { exampleIds } from "#api/platform/http/route-examples.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { limitName, recordChange } from "#api/audit/change-log/record-change.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";

/** Loads the comments about a user, newest first. */
export const loadUserComments = createRelationLoader<Comment>({
  entity: Comment,
  of: "user",
  orderBy: { at: "desc", id: "desc" },
});

/**
 * Adds a comment about a user, with the caller as its author.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND; CONFLICT if the user deleted their account.
 */
export async function addComment(context: Context, userId: string, values: CommentValues): Promise<Comment> {
  const actor = requireActor(context);
  return inTransaction(context, async (em) => {
    const ownerId = await lockUserAgainstDeletion(em, userId);
    const author = await em.findOneOrFail(User, actor.userId);
    const comment = em.create(Comment, {
      user: em.getReference(User, ownerId),
      text: values.comment,
      commentedById: author.id,
      commentedBy: limitName(`${author.firstName} ${author.lastName}`),
      at: context.clock.now(),
    });
    await recordChange(context, em, {
      action: "add-comment",
      subject: { type: "comment", id: comment.id, name: "Comment" },
      userId: ownerId,
      after: { comment: comment.text },
    });
    return comment;
  });
}

@Resolver(() => User)
export class CommentResolver {
  @Allow("admin", { roles: ["support"], scope: "users:read" })
  @FieldResolver(() => [Comment], { description: "Comments by staff about the user, newest first." })
  async comments(@Root() user: User, @Ctx() context: Context): Promise<Comment[]> {
    return loadUserComments(context, user.id);
  }

  @Allow("admin", { roles: ["support"], scope: "users:write", harm: "others" })
  @Mutation(() => Comment, { description: "Adds a comment of 2 to 500 characters about a user, in the caller's name." })
  async addComment(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Arg("comment", () => String, { description: "The text of the comment." }) comment: string,
    @Ctx() context: Context,
  ): Promise<Comment> {
    return addComment(context, userId, check(commentRules, { comment }));
  }
}

const commentShape = namedObject("Comment", {
  id,
  comment: text,
  commentedBy: text,
  commentDate: moment,
  entityId: id,
  commentEntityType: Type.Literal(COMMENT_ON_USER),
});

function commentJson(comment: Comment): Static<typeof commentShape> {
  return {
    id: comment.id,
    comment: comment.text,
    commentedBy: comment.commentedBy,
    commentDate: comment.at.toISOString(),
    entityId: comment.user.id,
    commentEntityType: COMMENT_ON_USER,
  };
}

const defineRoute = routesOf("Comments");

/** Calls for staff comments on users. */
export const commentRoutes = [
  defineRoute("POST /v1/comments/get", {
    allow: { audience: "admin", roles: ["support"], scope: "users:read", harm: "none" },
    summary: "List the comments on a user. The newest come first. `commentEntityType` is 0",
    body: listCommentsRules,
    bodyExample: { entityId: exampleIds.user, commentEntityType: "0" },
    errors: ["NOT_FOUND"],
    response: Type.Array(commentShape),
    example: [
      {
        id: exampleIds.other,
        comment: "Prefers to be called in the morning.",
        commentedBy: "Morgan Reyes",
        commentDate: "2025-03-05T01:00:00.000Z",
        entityId: exampleIds.user,
        commentEntityType: "0",
      },
    ],
    handler: async ({ context, body }) => {
      const user = await getUser(context, body.entityId);
      return (await loadUserComments(context, user.id)).map(commentJson);
    },
  }),
  defineRoute("POST /v1/comments/add", {
    operation: "Mutation.addComment",
    summary: "Add a comment to a user. Returns the comment's id",
    body: newCommentRules,
    bodyExample: { entityId: exampleIds.user, commentEntityType: "0", comment: "Prefers to be called in the morning." },
    errors: ["NOT_FOUND", "CONFLICT"],
    response: id,
    example: exampleIds.other,
    handler: async ({ context, body }) => (await addComment(context, body.entityId, body)).id,
  }),
];
