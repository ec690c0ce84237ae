import type { Static } from "typebox";
import { memberTypes } from "#schema/user.ts";
import { id, namedObject, catalogueNumber, text, describedText, flag } from "#api/platform/http/define-route.ts";
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
    id: user.id,
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    mobile: user.mobile,
    companyName: user.companyName,
    position: user.position,
    fullAddress: user.fullAddress,
    unitNumber: user.unitNumber,
    streetNumber: user.streetNumber,
    streetName: user.streetName,
    city: user.city,
    state: user.state,
    country: user.country,
    postcode: user.postCode,
    postCode: user.postCode,
    isServiceProvider: user.isServiceProvider,
    isTester: user.isTester,
    memberType: user.memberType,
  };
}
