import { Arg, Ctx, ID, Mutation, Resolver } from "type-graphql";
import { customerStaff } from "#schema/staff-roles.ts";
import { type Context, requireActor } from "#api/platform/context.ts";
import { Allow, createType, field } from "#api/platform/graphql/declare.ts";
import { badInput, notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";

/** Seconds without a heartbeat after which a form counts as closed. Background tabs send one each minute. */
const LIFETIME_SECONDS = 90;

const OtherEditor = createType("OtherEditor", "admin", "Another admin who has the same form open.", {
  name: field.text("First and last name of the admin."),
  since: field.moment("When the admin opened the form, in UTC."),
});
type OtherEditor = InstanceType<typeof OtherEditor>;

interface ReportedForm {
  /** The user whose details the form edits. */
  readonly subjectId: string;
  /** Random id of the browser tab. */
  readonly tabId: string;
  readonly isOpen: boolean;
}

/**
 * Records that the caller has a user's details form open in a tab, or has closed it, and returns the other admins who have
 * it open. One statement, which also deletes expired rows, so that no sweep is needed. Uses the database's clock.
 * @throws AppError NOT_FOUND if the user id is malformed; BAD_USER_INPUT if the tab id is
 */
async function reportOpenForm(context: Context, form: ReportedForm): Promise<OtherEditor[]> {
  const { subjectId, tabId, isOpen } = form;
  const { pool } = context;
  const actor = requireActor(context);
  if (!isUuid(subjectId)) throw notFound();
  if (!isUuid(tabId)) throw badInput({ tabId: ["This must be a UUID."] });
  if (!isOpen) {
    await pool.query("delete from open_forms where subject_id = $1 and tab_id = $2 and user_id = $3", [
      subjectId,
      tabId,
      actor.userId,
    ]);
    return [];
  }
  const { rows } = await pool.query<OtherEditor>({
    name: "report-open-form",
    text: `with expired as (
             delete from open_forms where (subject_id, tab_id) in (
               select subject_id, tab_id from open_forms
                where expires_at <= now() and (subject_id, tab_id) <> ($1, $2) limit 20 for update skip locked)
           ), beat as (
             insert into open_forms (subject_id, tab_id, user_id, opened_at, expires_at)
             values ($1, $2, $3, now(), now() + interval '${LIFETIME_SECONDS} seconds')
             on conflict (subject_id, tab_id) do update set expires_at = excluded.expires_at
              where open_forms.user_id = excluded.user_id
           )
           select u.first_name || ' ' || u.last_name as name, min(o.opened_at) as since
             from open_forms o join users u on u.id = o.user_id
            where o.subject_id = $1 and o.user_id <> $3 and o.expires_at > now()
            group by u.id order by 2, u.id limit 10`,
    values: [subjectId, tabId, actor.userId],
  });
  return rows.map(({ name, since }) => ({ name, since: new Date(since) }));
}

@Resolver()
export class OpenFormResolver {
  @Allow("admin", { roles: customerStaff, scope: "session", harm: "own" })
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
