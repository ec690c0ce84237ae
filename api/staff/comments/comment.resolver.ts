import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from "type-graphql";
import { commentRules } from "#schema/comment.ts";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { check } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { addComment, loadUserComments } from "./comments.ts";
import { Comment } from "./comment.entity.ts";

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
