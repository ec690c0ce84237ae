import { createType, field } from "#api/platform/graphql/create-type.ts";
import { VisibleTo } from "#api/platform/graphql/allow.ts";

/** Result of a mutation that deletes an object, so that a client can remove it from its cache. */
export const DeletedObject = createType(
  "DeletedObject",
  VisibleTo("everyone"),
  "An object that no longer exists. The mutation says which type it had.",
  {
    id: field.id("The ID of the deleted object."),
  },
);
export type DeletedObject = InstanceType<typeof DeletedObject>;
