import type { ContactValues } from "#schema/contact.ts";
import { Contact } from "#api/staff/contacts/contact.entity.ts";
import type { User } from "#api/people/users/user.entity.ts";
import type { TestApp } from "#tests/support/test-app.ts";

const reachedAt = { email: "mary@example.com", phone: "07 3000 0000" };
const defaultValues: ContactValues = { firstName: "Mary", lastName: "Somerville", ...reachedAt, contactType: 4 };

export async function createContact(test: TestApp, user: User, changes: Partial<Contact> = {}): Promise<Contact> {
  const em = test.services.orm.em.fork();
  const contact = em.create(Contact, { user: user.id, ...defaultValues, addedAt: test.clock.now(), ...changes });
  await em.flush();
  return contact;
}
