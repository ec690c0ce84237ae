import { Arg, Ctx, Field, FieldResolver, ID, Int, Mutation, ObjectType, Query, Resolver, Root } from "type-graphql";
import { Allow } from "#api/platform/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { isUuid } from "#api/platform/validate.ts";
import { Erasure } from "./erasure.entity.ts";
import { erasureParts } from "#api/privacy/personal-data.ts";
import { requestErasure } from "./request-erasure.ts";

@ObjectType({ description: "One kind of personal data and how far its erasure is." })
export class ErasureProgress {
  @Field(() => String, { description: "Such as `licence-events`." })
  name!: string;

  @Field(() => String, { description: "Such as `Licence events`." })
  title!: string;

  @Field(() => Int, { description: "Rows erased so far." })
  rows!: number;

  @Field(() => Boolean)
  isDone!: boolean;
}

@ObjectType({ description: "What an erasure removed of one kind of personal data." })
export class ErasedRows {
  @Field(() => String, { description: "Such as `licence-events`." })
  name!: string;

  @Field(() => String, { description: "Such as `Licence events`." })
  title!: string;

  @Field(() => String, { description: "`deleted` or `anonymized`." })
  effect!: string;

  @Field(() => Int)
  rows!: number;
}

@ObjectType({ description: "What is kept about an erased user, and why." })
export class KeptRows {
  @Field(() => String)
  title!: string;

  @Field(() => Int)
  rows!: number;

  @Field(() => String)
  reason!: string;
}

@ObjectType({ description: "Proof of an erasure, without personal data." })
export class ErasureCertificate {
  @Field(() => ID, { description: "Id of the erasure." })
  id!: string;

  @Field(() => String, { nullable: true, description: "Salted SHA-256 of the email address." })
  emailHash!: string | null;

  @Field(() => Date, { description: "UTC." })
  requestedAt!: Date;

  @Field(() => Date, { description: "UTC." })
  finishedAt!: Date;

  @Field(() => [ErasedRows])
  erased!: ErasedRows[];

  @Field(() => [KeptRows])
  kept!: KeptRows[];
}

@Resolver(() => Erasure)
export class ErasureResolver {
  @Allow("admin")
  @Query(() => Erasure, { nullable: true, description: "The erasure of a user; null when none was requested." })
  async erasure(@Arg("userId", () => ID) userId: string, @Ctx() context: Context): Promise<Erasure | null> {
    return isUuid(userId) ? context.em.findOne(Erasure, { user: userId }) : null;
  }

  @Allow("admin")
  @Mutation(() => Erasure, {
    description:
      "Closes a user's account for good and erases everything personal in the background. Can't be undone. Repeating it returns the same erasure.",
  })
  eraseUser(@Arg("userId", () => ID) userId: string, @Ctx() context: Context): Promise<Erasure> {
    return requestErasure(context, userId, "staff");
  }

  @Allow("admin")
  @FieldResolver(() => ID)
  userId(@Root() erasure: Erasure): string {
    return erasure.user.id;
  }

  @Allow("admin")
  @FieldResolver(() => [ErasureProgress], { description: "Every part, in the order in which they run." })
  progress(@Root() erasure: Erasure): ErasureProgress[] {
    return erasureParts.map(({ name, title }) => {
      const { rows = 0, isDone = false } = erasure.progress[name] ?? {};
      return { name, title, rows, isDone };
    });
  }

  @Allow("admin")
  @FieldResolver(() => ErasureCertificate, { nullable: true, description: "Null until the erasure is done." })
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
