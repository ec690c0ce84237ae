import { Field, ID, ObjectType } from "type-graphql";
import { VisibleTo } from "#api/platform/graphql/allow.ts";

/** Result of a mutation that deletes an object, so that a client can remove it from its cache. */
@VisibleTo("everyone")
@ObjectType({ description: "An object that no longer exists. The mutation says which type it had." })
export class DeletedObject {
  @Field(() => ID, { description: "The ID of the deleted object." })
  id!: string;
}
