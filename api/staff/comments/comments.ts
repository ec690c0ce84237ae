import type { CommentValues } from "#schema/comment.ts";
import type { Context } from "#api/platform/context.ts";
import { AppError } from "#api/platform/errors.ts";
import { getUser, lockUserAgainstDeletion } from "#api/people/users/get-user.ts";
import { inTransaction } from "#api/platform/database/database.ts";
import { User } from "#api/people/users/user.entity.ts";
import { recordChange } from "#api/audit/change-log/record-change.ts";
import { Comment } from "./comment.entity.ts";
import { createRelationLoader } from "#api/platform/graphql/loaders.ts";

/** Loads the comments about a user, newest first. */
export const loadUserComments = createRelationLoader<Comment>({
  entity: Comment,
  of: "user",
  orderBy: { at: "desc", id: "desc" },
});

/**
 * Returns the comments about a user, newest first.
 * @throws AppError NOT_FOUND
 */
export async function listComments(context: Context, userId: string): Promise<Comment[]> {
  return loadUserComments(context, (await getUser(context, userId)).id);
}

/**
 * Adds a comment about a user, with the caller as its author.
 * @throws AppError UNAUTHENTICATED; NOT_FOUND; CONFLICT if the user deleted their account.
 */
export async function addComment(context: Context, userId: string, values: CommentValues): Promise<Comment> {
  const { actor, clock } = context;
  if (!actor) throw new AppError("UNAUTHENTICATED");
  return inTransaction(context, async (em) => {
    await lockUserAgainstDeletion(em, userId);
    const author = await em.findOneOrFail(User, actor.userId);
    const comment = em.create(Comment, {
      user: em.getReference(User, userId),
      text: values.comment,
      commentedById: author.id,
      commentedBy: `${author.firstName} ${author.lastName}`,
      at: clock.now(),
    });
    await recordChange(context, em, {
      action: "add-comment",
      subject: { type: "comment", id: comment.id, name: "Comment" },
      userId,
      after: { comment: comment.text },
    });
    return comment;
  });
}
