import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from "type-graphql";
import { createType, field } from "#api/platform/graphql/create-type.ts";
import { Allow, Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Erasure } from "./erasure.entity.ts";
import { erasureParts } from "#api/privacy/personal-data.ts";
import { loadUserById } from "#api/people/users/get-user.ts";
import { User } from "#api/people/users/user.entity.ts";
import { requestErasure } from "./request-erasure.ts";
import { customerStaff } from "#schema/staff-roles.ts";
import { erasureEffects } from "#schema/erasure.ts";

export const ErasureProgress = createType(
  "ErasureProgress",
  VisibleTo("admin"),
  "The progress of erasing one kind of personal data.",
  {
    name: field.text("The machine-readable name of the data, such as `licence-events`."),
    title: field.text("The display name of the data, such as `Licence events`."),
    rows: field.integer("The number of rows erased so far."),
    isDone: field.flag("Whether this part is finished."),
  },
);
export type ErasureProgress = InstanceType<typeof ErasureProgress>;

export const ErasedRows = createType(
  "ErasedRows",
  VisibleTo("admin"),
  "The rows of one kind of personal data that an erasure removed.",
  {
    name: field.text("The machine-readable name of the data, such as `licence-events`."),
    title: field.text("The display name of the data, such as `Licence events`."),
    effect: field.choice(erasureEffects, "The effect of the erasure on the rows."),
    rows: field.integer("The number of rows erased."),
  },
);

export const KeptRows = createType(
  "KeptRows",
  VisibleTo("admin"),
  "Rows that are kept about an erased user, with the reason.",
  {
    title: field.text("The display name of the data, such as `Tax invoices and adjustment notes`."),
    rows: field.integer("The number of rows kept."),
    reason: field.text("The reason the rows are kept."),
  },
);

export const ErasureCertificate = createType(
  "ErasureCertificate",
  VisibleTo("admin"),
  "Proof of an erasure. It contains no personal data.",
  {
    id: field.id("The ID of the erasure."),
    emailHash: field.text("The salted SHA-256 hash of the email address.", { nullable: true }),
    requestedAt: field.moment("The date and time of the request, in UTC."),
    finishedAt: field.moment("The date and time the erasure finished, in UTC."),
    erased: field.list(() => ErasedRows, "The data that was erased.", { access: Scope("users:read") }),
    kept: field.list(() => KeptRows, "The data that is kept.", { access: Scope("users:read") }),
  },
);
export type ErasureCertificate = InstanceType<typeof ErasureCertificate>;

@Resolver(() => Erasure)
export class ErasureResolver {
  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @Query(() => Erasure, {
    nullable: true,
    description: "Returns the erasure of a user, or null if none was requested.",
  })
  async erasure(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<Erasure | null> {
    return isUuid(userId) ? context.em.findOne(Erasure, { user: userId }) : null;
  }

  @Allow("admin", { roles: [], harm: "destroy" })
  @Mutation(() => Erasure, {
    description:
      "Closes a user's account permanently and erases all personal data in the background. This can't be undone. Repeating the call returns the same erasure.",
  })
  eraseUser(
    @Arg("userId", () => ID, { description: "The user." }) userId: string,
    @Ctx() context: Context,
  ): Promise<Erasure> {
    return requestErasure(context, userId, "staff");
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => ID, { description: "The erased user." })
  userId(@Root() erasure: Erasure): string {
    return erasure.user.id;
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, { nullable: true, description: "The erased user, without personal data." })
  async user(@Root() erasure: Erasure, @Ctx() context: Context): Promise<User | null> {
    return loadUserById(context, erasure.user.id);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => User, {
    nullable: true,
    description: "The admin who requested the erasure. Null for customers and operators.",
  })
  async admin(@Root() { requestedById }: Erasure, @Ctx() context: Context): Promise<User | null> {
    return requestedById === null ? null : loadUserById(context, requestedById);
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => [ErasureProgress], {
    description: "The progress of each part, in the order in which the parts run.",
  })
  progress(@Root() erasure: Erasure): ErasureProgress[] {
    return erasureParts.map(({ name, title }) => {
      const { rows = 0, isDone = false } = erasure.progress[name] ?? {};
      return { name, title, rows, isDone };
    });
  }

  @Allow("admin", { roles: customerStaff, scope: "users:read" })
  @FieldResolver(() => ErasureCertificate, {
    nullable: true,
    description: "The certificate of the erasure. Null until the erasure is done.",
  })
  certificate(@Root() { certificate }: Erasure): ErasureCertificate | null {
    if (!certificate) return null;
    const { id, emailHash, requestedAt, finishedAt, erased, kept } = certificate;
    return {
      id,
      emailHash,
      requestedAt: new Date(requestedAt),
      finishedAt: new Date(finishedAt),
      erased: [...erased],
      kept: [...kept],
    };
  }
}
