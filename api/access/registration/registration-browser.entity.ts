import { type Opt, types } from "@mikro-orm/core";
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from "@mikro-orm/decorators/legacy";
import { randomUUID } from "node:crypto";
import { User } from "#api/people/users/user.entity.ts";

/** The browser or program that registered an account. Deleted when the address is confirmed (decision 0003). */
@Entity({ tableName: "registration_browsers" })
export class RegistrationBrowser {
  @PrimaryKey({ type: types.uuid })
  id: Opt<string> = randomUUID();

  @Unique()
  @ManyToOne(() => User, { deleteRule: "cascade" })
  user!: User;

  /** SHA-256 of the secret in the browser's cookie. */
  @Property({ type: types.string })
  cookieHash!: string;

  /** SHA-256 of the IP address, for programs without cookies. */
  @Property({ type: types.string })
  addressHash!: string;
}
