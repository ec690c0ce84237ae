import { test } from "vitest";
import { Comment } from "#api/staff/comments/comment.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { readCells } from "./download-report.ts";
import { at, createReportOwner, inCsv } from "./report-owner.ts";

const app = await startTestApp();
const { em, owner, ownerCells, expectRows } = await createReportOwner(app);

test("1 Users", async () => {
  await expectRows(1, [
    {
      ...readCells(`Date joined (Brisbane time): ${inCsv} | First Name: Zoë | Last Name: =cmd|'/c calc'!A1`),
      Company: 'Łódź & <Söhne> "建築"',
      ...readCells(`
      Position: @Planner | Email: zoe@example.com | Email confirmed: Yes | Phone: +61 400 123 456
      User type: Corporate | Account: Active | Archived (Brisbane time): | Tester: Yes | Service provider: No
      ABN: 51 824 753 556 | Unit number: | Street number: 12 | Street name: Eagle Street | City: Brisbane | State: QLD
      Post Code: 4000 | Country: Australia`),
      Referrer: { csv: "_x0041_ fair", xlsx: "_x005F_x0041_ fair" },
      ...readCells(`
      Issued W-8 form: No | Completed security information: No | Completed software QA: No
      Subscribed to newsletter: No | Completed trial: No | Two-step sign-in: No | Subscription: | Subscription status:
      Running licences: #1 | Annual deactivation limit: #3 | Deactivations counted: #0 | User ID: ${owner.id}`),
    },
  ]);
});

test("2 User's Contacts", async () => {
  await createContact(app, owner, { firstName: "Máire", lastName: "+Ní", phone: "07 3000 0000", addedAt: at });
  await expectRows(2, [
    {
      ...readCells(`
      Date added (Brisbane time): ${inCsv} | Contact first name: Máire | Contact last name: +Ní
      Contact email: mary@example.com | Contact phone: 07 3000 0000 | Contact type: Principal Contact`),
      ...ownerCells,
    },
  ]);
});

test("3 User's Comments", async () => {
  const text = '=1+1\nSaid: "\\N", then \\. and a\ttab; Ω 😀';
  em.create(Comment, { user: owner.id, text, commentedById: owner.id, commentedBy: "Root", at } as never);
  await em.flush();
  await expectRows(3, [
    { ...readCells(`Comment date (Brisbane time): ${inCsv}`), Comment: text, "Commented by": "Root", ...ownerCells },
  ]);
});
