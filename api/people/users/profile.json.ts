import type { Static } from "typebox";
import { memberTypes } from "#schema/user.ts";
import { id, namedObject, catalogueNumber, text, describedText, flag } from "#api/platform/http/define-route.ts";
import { pick } from "#api/platform/pick.ts";
import type { User } from "./user.entity.ts";

/** Fields of a profile, which are also part of a user. */
export const profileFields = {
  id,
  firstName: text,
  lastName: text,
  email: text,
  mobile: text,
  companyName: text,
  position: text,
  fullAddress: text,
  unitNumber: text,
  streetNumber: text,
  streetName: text,
  city: text,
  state: describedText("The state. In Australia a code such as QLD"),
  country: describedText("The country's English name"),
  postcode: text,
  postCode: describedText("Same as postcode"),
  isServiceProvider: flag,
  isTester: flag,
  memberType: catalogueNumber(memberTypes),
};

export const profileShape = namedObject("Profile", profileFields);

/** Returns a profile with the field names of `/v1`. The post code appears under both names that clients use. */
export function toProfileJson(user: User): Static<typeof profileShape> {
  return {
    ...pick(user, "id", "firstName", "lastName", "email", "mobile", "companyName", "position", "fullAddress"),
    ...pick(user, "unitNumber", "streetNumber", "streetName", "city", "state", "country"),
    postcode: user.postCode,
    ...pick(user, "postCode", "isServiceProvider", "isTester", "memberType"),
  };
}
