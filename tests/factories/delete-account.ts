import type { TestApp } from "#tests/support/test-app.ts";
import { testPassword } from "./user.ts";

/** Deletes the account of a signed-in customer, as they do it themselves. */
export const deleteAccount = (app: TestApp, token: string, password = testPassword) =>
  app.graphql("deleteMyAccount { id }", { input: { password } }, token);
