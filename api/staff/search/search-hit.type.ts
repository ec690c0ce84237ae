import { Field, ID, ObjectType, registerEnumType } from "type-graphql";

/** What a search found. */
export enum SearchHitKind {
  USER = "USER",
  CONTACT = "CONTACT",
  LICENCE = "LICENCE",
  DEVICE = "DEVICE",
  INVOICE = "INVOICE",
}

registerEnumType(SearchHitKind, { name: "SearchHitKind", description: "What a search found." });

@ObjectType({ description: "Something that fits what was typed, in words, and whose it is." })
export class SearchHit {
  @Field(() => ID)
  id!: string;

  @Field(() => SearchHitKind)
  kind!: SearchHitKind;

  @Field(() => String, { description: "A name, a support code, a machine name or an invoice's number." })
  label!: string;

  @Field(() => String, { description: "What tells it from others alike." })
  subLabel!: string;

  @Field(() => ID, { description: "The user it is, or belongs to." })
  userId!: string;

  @Field(() => ID, { nullable: true, description: "Of a licence or a device." })
  licenceId: string | null = null;

  @Field(() => Boolean, { description: "A device that gave its place back, a licence that is over, an archived user." })
  isPast!: boolean;

  @Field(() => Boolean, { description: "What was typed is its whole code, number, address or name." })
  isExact!: boolean;
}

@ObjectType({ description: "What fits, exact matches first; at most eight of a kind." })
export class SearchResult {
  @Field(() => [SearchHit])
  hits!: SearchHit[];

  @Field(() => String, {
    nullable: true,
    description: "Why nothing was found, where that can be said: a code or number with a mistyped character.",
  })
  hint!: string | null;
}
