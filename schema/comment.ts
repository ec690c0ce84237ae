import { type InferType, object, string } from "yup";
import { COMMENT_CHARACTERS } from "./limits.ts";
import { line, paragraphs } from "./text.ts";

const comment = () =>
  paragraphs(COMMENT_CHARACTERS, "Comment is too long").required("Comment is required.").min(2, "Comment is too short");

/** Rules for a staff comment on a user, as sent by the form and GraphQL. */
export const commentRules = object({ comment: comment() });
export type CommentValues = InferType<typeof commentRules>;

/** Value of `commentEntityType` for users. No other type can have comments. */
export const COMMENT_ON_USER = "0";

const TYPE_UNKNOWN = "Comment entity type must be 0, a user.";

const subject = {
  entityId: line(100).required("Entity id is required."),
  commentEntityType: string()
    .typeError(TYPE_UNKNOWN)
    .required("Comment entity type is required.")
    .oneOf([COMMENT_ON_USER], TYPE_UNKNOWN),
};

/** Body of `POST /v1/comments/get`. */
export const listCommentsRules = object(subject);

/** Body of `POST /v1/comments/add`. */
export const newCommentRules = object({ comment: comment(), ...subject });
