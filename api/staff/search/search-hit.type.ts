import { Field, ID, ObjectType } from "type-graphql";
import { Scope, VisibleTo } from "#api/platform/graphql/allow.ts";
import { createEnum } from "#api/platform/graphql/enum-type.ts";

export const SearchHitKind = createEnum("SearchHitKind", "The type of a search hit.", {
  USER: "A user.",
  CONTACT: "A contact.",
  LICENCE: "A licence.",
  DEVICE: "A device.",
  INVOICE: "A tax invoice or adjustment note.",
});
export type SearchHitKind = keyof typeof SearchHitKind;

@VisibleTo("admin")
@ObjectType({ description: "An object that matches a search." })
export class SearchHit {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => SearchHitKind, { description: "The type of the hit." })
  kind!: SearchHitKind;

  @Field(() => String, { description: "A name, support code, machine name or invoice number." })
  label!: string;

  @Field(() => String, { description: "Details that distinguish the hit from similar ones." })
  subLabel!: string;

  @Field(() => ID, { description: "The user, or the user that the object belongs to." })
  userId!: string;

  @Field(() => ID, { nullable: true, description: "The licence, or the licence of the device. Null for other kinds." })
  licenceId: string | null = null;

  @Field(() => Boolean, {
    description: "Whether the device is deactivated, the licence isn't active, or the user is archived.",
  })
  isPast!: boolean;

  @Field(() => Boolean, { description: "Whether the search text equals the whole code, number, address or name." })
  isExact!: boolean;
}

export const CatalogueHitKind = createEnum("CatalogueHitKind", "The type of a search hit that belongs to no user.", {
  PROMO_CODE: "A promo code.",
  SOFTWARE_BUILD: "A build of the add-in.",
});
export type CatalogueHitKind = keyof typeof CatalogueHitKind;

@VisibleTo("admin")
@ObjectType({ description: "A promo code or software build that matches a search." })
export class CatalogueHit {
  @Field(() => ID, { description: "Unique ID." })
  id!: string;

  @Field(() => CatalogueHitKind, { description: "The type of the hit." })
  kind!: CatalogueHitKind;

  @Field(() => String, { description: "The promo code, or the version and stage of the build." })
  label!: string;

  @Field(() => String, { description: "Details that distinguish the hit from similar ones." })
  subLabel!: string;

  @Field(() => Boolean, { description: "Whether the promo code has expired or the build is withdrawn." })
  isPast!: boolean;

  @Field(() => Boolean, { description: "Whether the search text equals the whole code, version or file name." })
  isExact!: boolean;
}

@VisibleTo("admin")
@ObjectType({ description: "The search hits, exact matches first, at most eight of each kind." })
export class SearchResult {
  @Scope("users:read")
  @Field(() => [SearchHit], { description: "Users, contacts, licences, devices and invoices that match." })
  hits!: SearchHit[];

  @Scope("promo-codes:read")
  @Field(() => [CatalogueHit], { description: "Promo codes that match." })
  promoCodeHits!: CatalogueHit[];

  @Scope("software:read")
  @Field(() => [CatalogueHit], { description: "Software builds that match." })
  buildHits!: CatalogueHit[];

  @Field(() => String, {
    nullable: true,
    description: "Explains why nothing was found, such as a mistyped code. Null if there are hits or no explanation.",
  })
  hint!: string | null;
}
