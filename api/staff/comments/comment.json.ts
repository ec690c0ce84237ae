import { type Static, Type } from "typebox";
import { COMMENT_ON_USER } from "#schema/comment.ts";
import { id, moment, namedObject, text } from "#api/platform/http/json-types.ts";
import type { Comment } from "./comment.entity.ts";

export const commentShape = namedObject("Comment", {
  id,
  comment: text,
  commentedBy: text,
  commentDate: moment,
  entityId: id,
  commentEntityType: Type.Literal(COMMENT_ON_USER),
});

export function commentJson(comment: Comment): Static<typeof commentShape> {
  return {
    id: comment.id,
    comment: comment.text,
    commentedBy: comment.commentedBy,
    commentDate: comment.at.toISOString(),
    entityId: comment.user.id,
    commentEntityType: COMMENT_ON_USER,
  };
}
