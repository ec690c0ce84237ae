/** Fills the demo data with the longest values that the rules allow, through the API. */
import { profileFieldRules } from "../../schema/account.ts";
import { contactFields } from "../../schema/contact.ts";
import { getExample, getRules } from "../../schema/field.ts";
import { sendAs } from "./portal.mjs";

/** Text with words of every length, one of them long, as in a name of a company or a person. */
const WORDS = "Wolfeschlegelsteinhausenbergerdorff Maximiliane Infrastructure and Planning Group of ";

/** Returns the example with the longest text in each field whose rule is only about length. */
function lengthen(rules, example) {
  // Rules of addresses read the country next to the field.
  const options = { parent: { country: "Australia", ...example } };
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const max = rules[name]?.describe().tests.find((test) => test.name === "max")?.params.max;
      const long = typeof value === "string" && max ? WORDS.repeat(9).slice(0, max).trim() : value;
      return [name, rules[name]?.isValidSync(long, options) ? long : value];
    }),
  );
}

/**
 * Gives customers and an admin the longest profiles, and adds a contact, a promo code, webhooks and tokens.
 * @returns addresses of the pages about them
 */
export async function writeLongestValues({ url }) {
  const address = { streetNumber: "12", streetName: "Eagle Street", city: "Brisbane", state: "QLD", postCode: "4000" };
  const profile = {
    firstName: "Ada",
    lastName: "Byron",
    position: "Planner",
    mobile: "0400 000 000",
    companyName: "GNC",
  };
  for (const who of ["ada", "corporate", "admin"]) {
    const long = lengthen(profileFieldRules, { ...profile, ...address });
    const input = { ...long, email: `${who}@demo.test`, state: "QLD", country: "Australia" };
    await sendAs(url, who, "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { __typename } }", {
      input,
    });
  }
  const userId = (await sendAs(url, "corporate", "{ me { id } }")).me.id;
  await sendAs(
    url,
    "admin",
    "mutation ($userId: ID!, $input: ContactInput!) { addContact(userId: $userId, input: $input) { id } }",
    {
      userId,
      input: { ...lengthen(getRules(contactFields), getExample(contactFields)), contactType: "ACCOUNTS" },
    },
  );
  await sendAs(url, "admin", "mutation ($input: PromoCodeInput!) { addPromoCode(input: $input) { id } }", {
    input: { code: "W".repeat(50), discountType: "DOLLARS_OFF", discountValue: "9999.99" },
  });
  const paths = [`/admin/update-user/${userId}/`];
  for (const who of ["ada", "admin"]) {
    const webhook = {
      url: `https://example.com/${"planning/".repeat(52)}`,
      description: WORDS.repeat(3).slice(0, 200),
    };
    const { addWebhookEndpoint } = await sendAs(
      url,
      who,
      "mutation ($input: WebhookEndpointInput!) { addWebhookEndpoint(input: $input) { endpoint { id } } }",
      {
        input: { ...webhook, eventTypes: ["LICENCE_ISSUED"] },
      },
    );
    if (who === "ada") paths.push(`/webhooks/${addWebhookEndpoint.endpoint.id}/`);
    await sendAs(
      url,
      who,
      "mutation ($input: PersonalAccessTokenInput!) { createPersonalAccessToken(input: $input) { __typename } }",
      {
        input: { name: WORDS.slice(0, 80).trim(), expiresInDays: 365, scopes: ["LICENCES_READ"] },
      },
    );
  }
  return paths;
}
