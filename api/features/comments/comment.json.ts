import { COMMENT_ON_USER } from "#schema/rules/comment.ts";
import type { Comment } from "./comment.entity.ts";

/** A comment under the wire names of `/v1` (spec, admin §3). */
export function commentJson(comment: Comment) {
  return {
    id: comment.id,
    comment: comment.text,
    commentedBy: comment.commentedBy,
    commentDate: comment.at,
    entityId: comment.user.id,
    commentEntityType: COMMENT_ON_USER,
  };
}
