import type { Context } from "#api/platform/context.ts";
import { notFound } from "#api/platform/errors.ts";
import { isUuid } from "#api/platform/validate.ts";
import { User } from "#api/people/users/user.entity.ts";
import { Licence } from "./licence.entity.ts";
import { readSupportCode } from "./licence-code.ts";

/**
 * The licences of a user, newest first: their own, or anybody's for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function listLicences(context: Context, userId: string): Promise<Licence[]> {
  const isAdmin = context.actor?.role === "admin";
  if (!isUuid(userId) || !(isAdmin || context.actor?.userId === userId.toLowerCase())) throw notFound();
  const licences = await context.em.find(Licence, { user: userId }, { orderBy: { createdAt: "desc", id: "desc" } });
  if (licences.length === 0 && isAdmin && !(await context.em.findOne(User, userId))) throw notFound();
  return licences;
}

/**
 * One licence: the caller's own, or any for an admin.
 * @throws AppError NOT_FOUND, alike for foreign, unknown and malformed ids.
 */
export async function getLicence(context: Context, id: string): Promise<Licence> {
  const licence = isUuid(id) ? await context.em.findOne(Licence, id) : null;
  const mayRead = context.actor?.role === "admin" || licence?.user.id === context.actor?.userId;
  if (!licence || !mayRead) throw notFound();
  return licence;
}

/**
 * The licence that a support code names, for admins; the code as it was typed or pasted.
 * @throws AppError NOT_FOUND, also for what can't be a support code.
 */
export async function getLicenceBySupportCode(context: Context, typed: string): Promise<Licence> {
  const supportCode = readSupportCode(typed);
  const licence = supportCode ? await context.em.findOne(Licence, { supportCode }) : null;
  if (!licence) throw notFound();
  return licence;
}
