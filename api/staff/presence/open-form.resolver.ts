import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { Allow } from "#api/platform/graphql/allow.ts";
import type { Context } from "#api/platform/context.ts";
import { OtherEditor, reportOpenForm } from "./report-open-form.ts";

@Resolver()
export class OpenFormResolver {
  @Allow("admin", { roles: "all", scope: "session", harm: "own" })
  @Mutation(() => [OtherEditor], {
    description:
      "Records that the caller has a user's details form open in a browser tab, and returns the other admins who do. " +
      "Send it every 20 seconds while the form is visible; after 90 seconds without it the form counts as closed.",
  })
  async reportOpenForm(
    @Arg("userId", () => ID, { description: "The user whose details the form edits." }) userId: string,
    @Arg("tabId", () => ID, { description: "A random UUID of the browser tab." }) tabId: string,
    @Arg("isOpen", () => Boolean, { description: "False when the form closes." }) isOpen: boolean,
    @Ctx() context: Context,
  ): Promise<OtherEditor[]> {
    return reportOpenForm(context, { subjectId: userId, tabId, isOpen });
  }
}
