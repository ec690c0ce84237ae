import type { Opt } from "@mikro-orm/core";
import { Entity, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { Reference, RowId, Text } from "#api/platform/database/columns.ts";
import { User } from "#api/people/users/user.entity.ts";

/** The browser or program that registered an account. Deleted when the address is confirmed (decision 0003). */
@Entity({ tableName: "registration_browsers" })
export class RegistrationBrowser {
  @RowId()
  id: Opt<string> = randomUUID();

  @Unique()
  @Reference(() => User, { deleteRule: "cascade" })
  user!: User;

  /** SHA-256 of the secret in the browser's cookie. */
  @Text()
  cookieHash!: string;

  /** SHA-256 of the IP address, for programs without cookies. */
  @Text()
  addressHash!: string;
}
