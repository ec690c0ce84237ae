import type { Context } from "#api/platform/context.ts";
import { getRow } from "#api/platform/database/database.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "./licence.entity.ts";
import { parseSupportCode } from "./licence-code.ts";
import { createLink } from "#api/platform/graphql/links.ts";
import { createRowLoader } from "#api/platform/graphql/loaders.ts";

/**
 * Returns the licences of a user, newest first. Customers can list their own; admins can list anyone's.
 * @throws AppError NOT_FOUND for the id of another user, an unknown id and a malformed id.
 */
export async function listLicences(context: Context, userId: string): Promise<Licence[]> {
  const isAdmin = context.actor?.role === "admin";
  if (!isUuid(userId) || !(isAdmin || context.actor?.userId === userId.toLowerCase())) throw notFound();
  const licences = await context.em.find(Licence, { user: userId }, { orderBy: { createdAt: "desc", id: "desc" } });
  if (licences.length === 0 && isAdmin && !(await context.em.findOne(User, userId))) throw notFound();
  return licences;
}

/**
 * Returns a licence. Customers can read their own; admins can read any.
 * @throws AppError NOT_FOUND for a licence of another user, an unknown id and a malformed id.
 */
export async function getLicence(context: Context, id: string): Promise<Licence> {
  const licence = await getRow(context.em, Licence, id);
  if (context.actor?.role !== "admin" && licence.user.id !== context.actor?.userId) throw notFound();
  return licence;
}

/**
 * Returns the licence with a support code, as typed or pasted. For admins.
 * @throws AppError NOT_FOUND, also for a malformed code.
 */
export async function getLicenceBySupportCode(context: Context, typed: string): Promise<Licence> {
  const supportCode = parseSupportCode(typed);
  const licence = supportCode ? await context.em.findOne(Licence, { supportCode }) : null;
  if (!licence) throw notFound();
  return licence;
}

/** Loads a licence by its ID, or null if there is none. The caller must check access to it. */
export const loadLicence = createRowLoader(Licence);

/** Declares a field that leads to a licence (decision 0131). */
export const linkLicence = createLink(() => Licence, loadLicence);
