import type { User } from "./user.entity.ts";

/** A profile under the wire names of `/v1` (spec §3); the post code under both names the specification uses. */
export function profileJson(user: User) {
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
