import type { User } from "#api/people/users/user.entity.ts";
import { addMilliseconds, DAY } from "#api/platform/clock.ts";
import { createComment, type Demo } from "./history.ts";

/** What staff write down: short and long, with line breaks and in several scripts. */
const remarks = [
  "Prefers a call in the morning, Brisbane time.",
  "Asked for a quote for 25 users. Sent on the same day; waiting for their procurement.",
  "Rang about the blue screen after the update. It was the graphics driver, not us.\nTold them to update it; they rang back, all is well.",
  "Purchase order comes from the parent company from July on.\n\nNew contact for invoices:\n– Wendy, accounts\n– copy to the project office",
  "VIP: spoke at the scheduling conference, happy to be named as a reference.",
  "担当者は英語でも可。請求書は日本語希望。",
  "Security questionnaire returned. Two answers are open (data at rest, sub-processors): see the shared folder.",
  "Moved three planners to new laptops, so the deactivations of this month are theirs. Counter reset once, as a courtesy.",
  "Chased twice by email, no answer.",
  "Trial went well; the planner wants Professional, the manager asks about the difference to Plus+. Sent the comparison.",
] as const;

/** One to three comments on a user, by whoever was at the desk. Picked by `index`, so that other demo data stays as it was. */
export function writeComments(demo: Demo, user: User, staff: readonly User[], index: number): void {
  const days = (demo.now.getTime() - user.registeredAt.getTime()) / DAY;
  for (let one = 0; one <= index % 3; one++) {
    const author = staff[(index + one) % staff.length];
    if (!author) return;
    const day = addMilliseconds(user.registeredAt, ((one + 1) / 5) * days * DAY);
    createComment(demo, user, author, day, remarks[(index * 3 + one) % remarks.length] ?? remarks[0]);
  }
}

/** What stands on the demo's known accounts. */
export function writeKnownComments(demo: Demo, author: User, people: { ada: User; corporate: User }): void {
  const daysBefore = (days: number) => addMilliseconds(demo.now, -days * DAY - 3_600_000 * (days % 5));
  createComment(demo, people.ada, author, daysBefore(120), "Came through the conference in Brisbane.");
  createComment(
    demo,
    people.ada,
    author,
    daysBefore(61),
    "Changed from monthly to yearly after we explained how the rest of the month is set off.\nWants the invoice before the 5th.",
  );
  for (const [index, remark] of remarks.entries())
    createComment(demo, people.corporate, author, daysBefore(380 - index * 34), remark);
  createComment(
    demo,
    people.corporate,
    author,
    daysBefore(9),
    "Asked why a fifth planner was refused: five seats, and a scheduler had left the add-in open over the weekend. Explained leases; they will think about eight seats at renewal.",
  );
}
