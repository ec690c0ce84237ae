import type { Context } from "#api/platform/context.ts";
import type { EntityManager } from "#api/platform/database.ts";
import { sendMail } from "#api/features/mails/send-mail.ts";
import { emailLink, issueEmailToken } from "./email-tokens.ts";
import type { User } from "./user.entity.ts";

/**
 * Mails the confirmation link; or, for a registration under somebody's address, tells its owner.
 * Belongs to the transaction of `em`.
 */
export async function sendConfirmation(context: Context, em: EntityManager, user: User): Promise<void> {
  // Issued in both cases, so that both cost the same.
  const secret = await issueEmailToken(context, em, user, "confirm-email");
  if (user.signInEmail === null) {
    await sendMail(context, em, {
      template: "already-registered",
      to: user.email,
      data: {
        signInLink: `${context.config.publicUrl}/login`,
        resetLink: `${context.config.publicUrl}/forgot-password/`,
      },
    });
    return;
  }
  await sendMail(context, em, {
    template: "confirm-email",
    to: user.email,
    data: { firstName: user.firstName, link: emailLink(context, "/confirm-email", secret) },
  });
}
