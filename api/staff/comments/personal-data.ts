import { Comment } from "./comment.entity.ts";
import {
  FORMER_STAFF,
  MAX_EXPORTED_ROWS,
  createDeletePart,
  createBatchStatement,
  type PersonalData,
} from "#api/platform/database/personal-data.ts";

export const commentData: PersonalData = {
  tables: {
    comments: {
      deleted: "comments",
      alsoKept: "Comments by the user as staff are kept without the author's name.",
    },
  },
  erasure: [
    createDeletePart("comments", "Comments about the user", "comments"),
    {
      name: "written-comments",
      title: "Author names of comments the user wrote as staff",
      effect: "anonymized",
      table: "comments",
      run: createBatchStatement(
        `update comments set commented_by = '${FORMER_STAFF}' where id in (
           select id from comments where commented_by_id = :user and commented_by <> '${FORMER_STAFF}' limit :limit)`,
      ),
    },
  ],
  exported: {
    // The author's name isn't data about the user.
    async staffComments({ em }, user) {
      const comments = await em.find(
        Comment,
        { user: user.id },
        { orderBy: { at: "desc", id: "desc" }, limit: MAX_EXPORTED_ROWS },
      );
      return comments.map(({ text, at }) => ({ comment: text, writtenAt: at }));
    },
  },
};
