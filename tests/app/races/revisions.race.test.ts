import { expect, test } from "vitest";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import { PromoCode } from "#api/selling/promo-codes/promo-code.entity.ts";
import { createContact } from "#tests/factories/contact.ts";
import { createPromoCode } from "#tests/factories/promo-code.ts";
import { createAdmin, createUser, signInAs } from "#tests/factories/user.ts";
import { listAuditEntries } from "#tests/support/audit.ts";
import { startTestApp } from "#tests/support/test-app.ts";
import { alternateProcesses } from "#tests/support/two-processes.ts";

const app = await startTestApp();
const call = await alternateProcesses(app);
const token = await signInAs(app, await createAdmin(app));
const em = () => app.services.orm.em.fork();
const ROUNDS = 15;
const forms = [1, 2, 3, 4, 5, 6];

const sortStatuses = (answers: { status: number }[]) => answers.map(({ status }) => status).toSorted((a, b) => a - b);
const oneWins = [200, 409, 409, 409, 409, 409];

test("saves one of six concurrent edits of the same revision of a contact, across two processes", async () => {
  const user = await createUser(app);
  const { id, firstName, lastName, email, contactType } = await createContact(app, user);
  const body = { userId: user.id, id, firstName, lastName, email, contactType };
  for (let round = 0; round < ROUNDS; round++) {
    const { revision } = await em().findOneOrFail(Contact, id);
    const phones = forms.map((n) => `07 ${round}-${n}`);
    const answers = await Promise.all(
      phones.map((phone) => call("PUT", "/v1/users/contact", { ...body, phone, revision }, token)),
    );
    expect(sortStatuses(answers)).toEqual(oneWins);
    const phone = phones[answers.findIndex(({ status }) => status === 200)];
    expect(await em().findOneOrFail(Contact, id)).toMatchObject({ phone, revision: revision + 1 });
  }
  expect(await listAuditEntries(app, id)).toHaveLength(ROUNDS);
}, 120_000);

test("saves one of six concurrent edits of the same revision of a promo code, across two processes", async () => {
  const { id, code } = await createPromoCode(app);
  for (let round = 0; round < ROUNDS; round++) {
    const { revision } = await em().findOneOrFail(PromoCode, id);
    const answers = await Promise.all(
      forms.map((n) =>
        call(
          "PUT",
          "/v1/promoCode",
          { id, code, discountType: 0, discountValue: (round % 2) * 10 + 20 + n, revision },
          token,
        ),
      ),
    );
    expect(sortStatuses(answers)).toEqual(oneWins);
    const won = forms[answers.findIndex(({ status }) => status === 200)] ?? 0;
    const basisPoints = ((round % 2) * 10 + 20 + won) * 100;
    expect(await em().findOneOrFail(PromoCode, id)).toMatchObject({ basisPoints, revision: revision + 1 });
  }
  expect(await listAuditEntries(app, id)).toHaveLength(ROUNDS);
}, 120_000);
