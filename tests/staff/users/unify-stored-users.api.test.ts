import { expect, test } from "vitest";
import { User } from "#api/people/users/user.entity.ts";
import { runSweep } from "#api/platform/jobs/sweeps.ts";
import { unifyStoredUsers } from "#api/staff/users/unify-stored-users.ts";
import { createUser } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp();
const load = ({ id }: User) => app.context().em.findOneOrFail(User, id);

test("marks accounts whose country escapes GST, without changing a country, and unifies sign-in addresses", async () => {
  const countries = [
    "AU",
    "Aus\u200btralia",
    "The Commonwealth of Australia",
    "australia",
    "Australia",
    "Narnia",
    "NZ",
  ];
  const users = [];
  for (const country of countries) users.push(await createUser(app, { country }));
  const decomposed = await createUser(app, { email: "zoe\u0308@example.com", signInEmail: "zoe\u0308@example.com" });
  const taken = await createUser(app, { email: "ame\u0301lie@example.com", signInEmail: "ame\u0301lie@example.com" });
  await createUser(app, { email: "amélie@example.com", signInEmail: "amélie@example.com" });
  await runSweep(app.services, unifyStoredUsers);
  const stored = [];
  for (const user of users) stored.push(await load(user));
  expect(stored.map(({ country }) => country)).toEqual(countries);
  expect(stored.map(({ unlistedCountry }) => unlistedCountry)).toEqual([
    ...countries.slice(0, 3),
    null,
    null,
    null,
    null,
  ]);
  expect((await load(decomposed)).signInEmail).toBe("zoë@example.com");
  expect((await load(taken)).signInEmail).toBe("ame\u0301lie@example.com");
});
