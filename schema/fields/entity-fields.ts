import { contactFields } from "#schema/contact.ts";
import type { Fields } from "#schema/field.ts";
import { licenceFields } from "#schema/licence.ts";
import { promoCodeFields } from "#schema/promo-code.ts";
import { savedReportFields } from "#schema/saved-report.ts";
import { userFields } from "#schema/user.ts";
import { webhookEndpointFields } from "#schema/webhook-endpoint.ts";

export const entityFields = {
  contact: contactFields,
  licence: licenceFields,
  "promo-code": promoCodeFields,
  "saved-report": savedReportFields,
  user: userFields,
  "webhook-endpoint": webhookEndpointFields,
} satisfies Readonly<Record<string, Fields>>;
