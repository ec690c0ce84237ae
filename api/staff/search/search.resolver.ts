import { Arg, Ctx, Query, Resolver } from "type-graphql";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { createReadCost } from "#api/platform/graphql/field-costs.ts";
import { search } from "./search.ts";
import { SearchResult } from "./search-hit.type.ts";

@Resolver()
export class SearchResolver {
  @Allow("admin", { roles: "all", scope: "users:read" })
  @Query(() => SearchResult, {
    complexity: createReadCost(170),
    description:
      "Finds users, contacts, licences, devices and invoices by licence code, support code, machine name, email, invoice number, " +
      "ABN, company or name; promo codes by their start; software builds by version or file name.",
  })
  async search(
    @Arg("text", () => String, { description: "The text to find, at least two characters." }) text: string,
    @Ctx() context: Context,
  ): Promise<SearchResult> {
    return search(context, text);
  }
}
