import { createType, declareEnum, field, fieldOrNull, Scope } from "#api/platform/graphql/declare.ts";

export const SearchHitKind = declareEnum("SearchHitKind", "The type of a search hit.", {
  USER: "A user.",
  CONTACT: "A contact.",
  LICENCE: "A licence.",
  DEVICE: "A device.",
  INVOICE: "A tax invoice or adjustment note.",
});

export const SearchHit = createType("SearchHit", "admin", "An object that matches a search.", {
  id: field.id("Unique ID."),
  kind: field.code(SearchHitKind, "The type of the hit."),
  label: field.text("A name, support code, machine name or invoice number."),
  subLabel: field.text("Details that distinguish the hit from similar ones."),
  userId: field.id("The user, or the user that the object belongs to."),
  licenceId: fieldOrNull.id("The licence, or the licence of the device. Null for other kinds."),
  isPast: field.flag("Whether the device is deactivated, the licence isn't active, or the user is archived."),
  isExact: field.flag("Whether the search text equals the whole code, number, address or name."),
});
export type SearchHit = InstanceType<typeof SearchHit>;

export const CatalogueHitKind = declareEnum("CatalogueHitKind", "The type of a search hit that belongs to no user.", {
  PROMO_CODE: "A promo code.",
  SOFTWARE_BUILD: "A build of the add-in.",
});

export const CatalogueHit = createType(
  "CatalogueHit",
  "admin",
  "A promo code or software build that matches a search.",
  {
    id: field.id("Unique ID."),
    kind: field.code(CatalogueHitKind, "The type of the hit."),
    label: field.text("The promo code, or the version and stage of the build."),
    subLabel: field.text("Details that distinguish the hit from similar ones."),
    isPast: field.flag("Whether the promo code has expired or the build is withdrawn."),
    isExact: field.flag("Whether the search text equals the whole code, version or file name."),
  },
);
export type CatalogueHit = InstanceType<typeof CatalogueHit>;

export const SearchResult = createType(
  "SearchResult",
  "admin",
  "The search hits, exact matches first, at most eight of each kind.",
  {
    hits: field.list(() => SearchHit, "Users, contacts, licences, devices and invoices that match.", {
      access: Scope("users:read"),
    }),
    promoCodeHits: field.list(() => CatalogueHit, "Promo codes that match.", { access: Scope("promo-codes:read") }),
    buildHits: field.list(() => CatalogueHit, "Software builds that match.", { access: Scope("software:read") }),
    hint: fieldOrNull.text(
      "Explains why nothing was found, such as a mistyped code. Null if there are hits or no explanation.",
    ),
  },
);
export type SearchResult = InstanceType<typeof SearchResult>;
