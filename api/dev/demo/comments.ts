import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import type { Demo } from "./history.ts";

/** Sample comments by staff: short and long, with line breaks and in several scripts. */
const remarks = [
  "Prefers a call in the morning, Brisbane time.",
  "Asked for a quote for 25 users. Sent on the same day; waiting for their procurement.",
  "Rang about the blue screen after the update. It was the graphics driver, not us.\nThey updated it and rang back: all good.",
  "Purchase order comes from the parent company from July on.\n\nNew contact for invoices:\n– Wendy, accounts\n– copy to the project office",
  "VIP: spoke at the scheduling conference, happy to be named as a reference.",
  "担当者は英語でも可。請求書は日本語希望。",
  "Security questionnaire returned. Two answers are open (data at rest, sub-processors): see the shared folder.",
  "Moved three planners to new laptops, which explains this month's deactivations. Counter reset once, as a courtesy.",
  "Chased twice by email, no answer.",
  "Trial went well; the planner wants Professional, the manager asks about the difference to Plus+. Sent the comparison.",
] as const;

function createComment(demo: Demo, user: User, author: User, at: Date, text: string): void {
  const commentedBy = `${author.firstName} ${author.lastName}`;
  demo.em.create(Comment, { user, text, commentedById: author.id, commentedBy, at });
}

/** Writes one to three comments on a user. Picks them by `index`, not randomly, so that other demo data doesn't change. */
export function writeComments(demo: Demo, user: User, staff: readonly User[], index: number): void {
  const days = (demo.now.getTime() - user.registeredAt.getTime()) / DAY;
  for (let number = 0; number <= index % 3; number++) {
    const author = staff[(index + number) % staff.length];
    if (!author) return;
    const day = addMilliseconds(user.registeredAt, ((number + 1) / 5) * days * DAY);
    createComment(demo, user, author, day, remarks[(index * 3 + number) % remarks.length] ?? remarks[0]);
  }
}

export function writeNamedAccountComments(demo: Demo, author: User, people: { ada: User; corporate: User }): void {
  const daysBefore = (days: number) => addMilliseconds(demo.now, -days * DAY - 3_600_000 * (days % 5));
  createComment(demo, people.ada, author, daysBefore(120), "Came through the conference in Brisbane.");
  createComment(
    demo,
    people.ada,
    author,
    daysBefore(61),
    "Changed from monthly to yearly after we explained the credit for the rest of the month.\nWants the invoice before the 5th.",
  );
  for (const [index, remark] of remarks.entries())
    createComment(demo, people.corporate, author, daysBefore(380 - index * 34), remark);
  createComment(
    demo,
    people.corporate,
    author,
    daysBefore(9),
    "Wanted to know why a planner couldn't get a seat: all five were taken, because a scheduler had left the add-in open over the weekend. Explained leases; they'll consider eight seats at renewal.",
  );
}
