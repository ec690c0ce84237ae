import { expect, test } from "vitest";
import { DAY } from "#api/platform/clock.ts";
import { addAuthenticator } from "#tests/factories/two-step.ts";
import { createAdmin, signInAs } from "#tests/factories/user.ts";
import { startTestApp } from "#tests/support/test-app.ts";

const app = await startTestApp({ adminTwoStepRequired: true, firstAdminGraceDays: 7 });

test("gives only the first admin 7 days to set up two-step sign-in", async () => {
  const owner = await createAdmin(app);
  app.clock.setOffset(DAY);
  const colleague = await createAdmin(app);
  const isRestricted = async (user: typeof owner) => {
    const { data, errors } = await app.graphql("{ softwareChannels { stage } }", {}, await signInAs(app, user));
    if (!errors) expect(data.softwareChannels).toHaveLength(6);
    else expect(errors[0]?.extensions).toMatchObject({ reason: "SET_UP_TWO_STEP" });
    return errors !== undefined;
  };
  expect([await isRestricted(owner), await isRestricted(colleague)]).toEqual([false, true]);
  app.clock.setOffset(8 * DAY);
  expect(await isRestricted(owner)).toBe(true);
  await addAuthenticator(app, owner);
  expect(await isRestricted(owner)).toBe(false);
  app.clock.setOffset(0);
});
